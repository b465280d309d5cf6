//! Crowd: the form, the variants side by side in a table, histograms whose bars lead to a run, and
//! what the sweep found as lines.

use web_sys::{HtmlInputElement, HtmlSelectElement};
use yew::prelude::*;

use crate::app::input::{CrowdInput, Input};
use crate::jobs::crowd::Which;
use crate::session::spelling::thousands;
use crate::text::{CrowdWord, Lang, crowd as word};
use crate::view::crowd::chart::{Chart, HEIGHT, Line, WIDTH};
use crate::view::crowd::dots::{Dot, DotRow, Dots};
use crate::view::crowd::{Bars, Control, Group, Kind, Row, Sweep, View};

struct Page<'p> {
    lang: Lang,
    view: &'p View,
    /// True if the runs under way began by themselves: others can be asked for in their place.
    by_itself: bool,
    on: &'p Callback<Input>,
}

#[inline(never)]
pub fn crowd(view: &View, by_itself: bool, lang: Lang, on: &Callback<Input>) -> Html {
    let page = Page { lang, view, by_itself, on };
    html! {
        <main class="crowd" data-running={view.running.to_string()}>
            { page.setting() }
            <div class="crowd-results">
                { page.state() }
                if view.begun && !view.rows.is_empty() {
                    { view.dots.as_ref().map(|dots| page.dots(dots)) }
                    { page.table() }
                    { page.histograms() }
                }
                { for view.sweeps.iter().map(|sweep| page.sweep(sweep)) }
            </div>
        </main>
    }
}

impl Page<'_> {
    fn word(&self, which: CrowdWord) -> &'static str {
        word(self.lang, which)
    }

    fn press(&self, input: CrowdInput) -> Callback<MouseEvent> {
        self.on.reform(move |_| Input::Crowd(input.clone()))
    }

    fn setting(&self) -> Html {
        let View { running, begun, choices, groups, .. } = self.view;
        let running = *running && !self.by_itself;
        let onsubmit = self.on.reform(|event: SubmitEvent| {
            event.prevent_default();
            Input::Crowd(CrowdInput::Run(Which::Form))
        });
        let wrong = self.view.problem.is_some();
        let run = if *begun { CrowdWord::RunAgain } else { CrowdWord::Run };
        let choices = choices.iter().map(|choice| {
            let onchange = {
                let input = CrowdInput::Toggle(choice.variant);
                self.on.reform(move |_: Event| Input::Crowd(input.clone()))
            };
            html! {
                <label key={choice.variant} class={format!("look-{}", choice.variant % 8)}>
                    <input type="checkbox" checked={choice.on} {onchange}
                        data-variant={choice.variant.to_string()} />
                    <i aria-hidden="true"></i>{ choice.label.clone() }
                </label>
            }
        });
        html! {
            <form class="crowd-form" {onsubmit} novalidate=true
                aria-label={self.word(CrowdWord::Setting)}>
                if self.view.choices.len() > 1 {
                    <fieldset>
                        <legend>{ self.word(CrowdWord::Variants) }</legend>
                        { for choices }
                    </fieldset>
                }
                { for groups.iter().map(|group| self.group(group)) }
                <div class="crowd-go">
                    if running || self.view.on_real {
                        <button type="button" class="stop" onclick={self.press(CrowdInput::Stop)}>
                            { self.word(CrowdWord::Stop) }</button>
                    } else {
                        <button type="submit" class="main" disabled={wrong} data-run="crowd">
                            { self.word(run) }</button>
                        <button type="button" disabled={wrong} data-run="sweep"
                            onclick={self.press(CrowdInput::Run(Which::Clients))}>
                            { self.word(CrowdWord::Sweep) }</button>
                        if self.view.has_down {
                            <button type="button" disabled={wrong} data-run="down"
                                onclick={self.press(CrowdInput::Run(Which::Down))}>
                                { self.word(CrowdWord::SweepDown) }</button>
                        }
                    }
                    if !running && !self.view.on_real {
                        <button type="button" disabled={wrong} data-run="real"
                            aria-haspopup="dialog" onclick={self.press(CrowdInput::Real)}>
                            { self.word(CrowdWord::Real) }</button>
                    }
                    if !self.view.is_proposed {
                        <button type="button" class="plain"
                            onclick={self.press(CrowdInput::Reset)}>
                            { self.word(CrowdWord::Reset) }</button>
                    }
                </div>
                <p class={if wrong { "problem" } else { "size" }} role="status">
                    { self.view.problem.clone().unwrap_or_else(|| self.view.size.clone()) }
                </p>
            </form>
        }
    }

    fn group(&self, group: &Group) -> Html {
        let controls = group.controls.iter().map(|control| self.control(control));
        // A field that is wrong must be seen.
        let wrong = group.controls.iter().any(|control| control.problem.is_some());
        match group.folded {
            false => html! {
                <fieldset key={group.id} data-group={group.id}>
                    <legend>{ group.label }</legend>
                    { for controls }
                </fieldset>
            },
            true => html! {
                <details key={group.id} data-group={group.id} open={wrong}>
                    <summary>{ group.label }
                        <span>{ self.brief(group) }</span>
                    </summary>
                    { for controls }
                </details>
            },
        }
    }

    /// The values of a group that is folded away.
    fn brief(&self, group: &Group) -> String {
        let value = |control: &Control| match &control.kind {
            Kind::Number { text, ghost, .. } => {
                let text = if text.is_empty() { ghost } else { text };
                let space = if control.unit.is_empty() { "" } else { " " };
                match control.zero.filter(|_| text == "0") {
                    Some(zero) => Some(zero.to_owned()),
                    None => {
                        let text = text.parse().map_or_else(|_| text.clone(), thousands);
                        (text != "0").then(|| [&text, space, control.unit].concat())
                    }
                }
            }
            Kind::Choice { options, chosen } => {
                options.get(*chosen).map(|(_, label)| (*label).to_owned())
            }
        };
        // Without any fault the length of a pause is of no interest.
        let none = group.id == "faults"
            && group
                .controls
                .iter()
                .filter(|one| one.unit == "ppm")
                .all(|one| value(one).is_none());
        if none {
            return self.word(CrowdWord::NoFaults).to_owned();
        }
        group.controls.iter().filter_map(value).collect::<Vec<_>>().join(" · ")
    }

    fn control(&self, control: &Control) -> Html {
        let name = control.name;
        let set = move |text: String| Input::Crowd(CrowdInput::Set(name, text));
        let field = match &control.kind {
            Kind::Number { text, ghost, min, max } => {
                let onchange = self.on.reform(move |event: Event| {
                    let field: Option<HtmlInputElement> = event.target_dyn_into();
                    set(field.map(|field| field.value()).unwrap_or_default())
                });
                html! {
                    <input id={format!("crowd-{name}")} type="text" inputmode="numeric" {onchange}
                        value={text.clone()} placeholder={ghost.clone()} autocomplete="off"
                        aria-invalid={control.problem.is_some().then_some("true")}
                        title={format!("{min} – {max}")} />
                }
            }
            Kind::Choice { options, chosen } => {
                let ids: Vec<&'static str> = options.iter().map(|(id, _)| *id).collect();
                let onchange = self.on.reform(move |event: Event| {
                    let field: Option<HtmlSelectElement> = event.target_dyn_into();
                    let at = field.map_or(0, |field| field.selected_index().max(0) as usize);
                    set(ids.get(at).copied().unwrap_or_default().to_owned())
                });
                let options = options.iter().enumerate().map(|(at, (id, label))| {
                    html! { <option key={*id} selected={at == *chosen}>{ *label }</option> }
                });
                html! {
                    <select id={format!("crowd-{name}")} {onchange}>{ for options }</select>
                }
            }
        };
        html! {
            <div class="crowd-row" key={name}>
                <label for={format!("crowd-{name}")}>{ control.label }</label>
                { field }
                <span class="unit">{ control.unit }</span>
                if let Some(zero) = control.zero {
                    <small>{ "0: " }{ zero }</small>
                }
                if let Some(problem) = &control.problem {
                    <small class="problem" role="alert">{ problem.clone() }</small>
                }
            </div>
        }
    }

    fn state(&self) -> Html {
        let view = self.view;
        html! {
            <section class="crowd-state">
                if !view.begun {
                    <h2>{ self.word(CrowdWord::Title) }</h2>
                    <p>{ self.word(CrowdWord::Intro) }</p>
                    <p class="model">{ self.word(CrowdWord::Model) }</p>
                }
                if let Some((done, of)) = view.progress {
                    <progress max={of.to_string()} value={done.to_string()}
                        aria-label={self.word(CrowdWord::Setting)}></progress>
                }
                if view.begun {
                    <p class={classes!("said", view.failed.then_some("problem"))}>
                        { view.said.clone() }</p>
                }
                <p class="sr" role="status">
                    if !view.running { { view.said.clone() } }
                </p>
                { for view.real.iter().map(|said| html! {
                    <p class="said" role="status">{ said.clone() }</p>
                }) }
                if let Some(note) = &view.note {
                    <p class="note" role="status">{ note.clone() }</p>
                }
            </section>
        }
    }

    /// The figure, and a dot for each run.
    fn dots(&self, dots: &Dots) -> Html {
        let row = |row: &DotRow| {
            let dot = |dot: &Dot| {
                let style = format!("left:{:.2}%;top:calc(50% + {}px)", dot.x, dot.y);
                html! { <i {style}></i> }
            };
            html! {
                <li key={row.variant} class={classes!(row.bad.then_some("bad"))}
                    data-variant={row.variant.to_string()}>
                    <span>{ row.label.clone() }</span>
                    <span class="runs" aria-hidden="true">{ for row.dots.iter().map(dot) }</span>
                    <b>{ row.sum.clone() }</b>
                </li>
            }
        };
        let tick = |(x, text): &(f64, String)| {
            html! { <i style={format!("left:{x:.2}%")}>{ text.clone() }</i> }
        };
        html! {
            <section class="crowd-first">
                <h2><strong class={classes!(dots.bad.then_some("bad"))}>
                    { dots.figure.clone() }</strong>{ " " }{ dots.runs.clone() }</h2>
                <p class="hint">{ dots.detail.clone() }</p>
                if !dots.rows.is_empty() {
                    <figure>
                        <figcaption>{ dots.title.clone() }</figcaption>
                        <ul>{ for dots.rows.iter().map(row) }</ul>
                        <p aria-hidden="true"><span>{ for dots.ticks.iter().map(tick) }</span></p>
                    </figure>
                }
            </section>
        }
    }

    fn table(&self) -> Html {
        let heads = self.view.heads.iter().map(|(variant, label)| {
            html! {
                <th key={*variant} scope="col" class={format!("look-{}", variant % 8)}>
                    <i aria-hidden="true"></i>{ label.clone() }</th>
            }
        });
        let span = (self.view.heads.len() + 1).to_string();
        let rows = self.view.rows.iter().map(|row| self.row(row, &span));
        html! {
            <section>
                <h2 id="crowd-results">{ self.word(CrowdWord::Results) }</h2>
                <div class="scrolls" tabindex="0" role="region" aria-labelledby="crowd-results">
                    <table class="crowd-table">
                        <thead><tr><td></td>{ for heads }</tr></thead>
                        <tbody>{ for rows }</tbody>
                    </table>
                </div>
                <p class="below">{ self.view.seeds.clone() }{ " " }
                    <button type="button" class="plain" data-save="crowd"
                        onclick={self.press(CrowdInput::Save(Which::Form))}>
                        { self.word(CrowdWord::SaveRuns) }</button>
                </p>
            </section>
        }
    }

    fn row(&self, row: &Row, span: &str) -> Html {
        let cells = row.cells.iter().map(|cell| {
            let share = cell.share.map(|share| format!("width:{share:.1}%"));
            html! {
                <td class={classes!(cell.bad.then_some("bad"))}>
                    if cell.bad { <b aria-hidden="true">{ "✕ " }</b> }
                    { cell.text.clone() }
                    { for cell.more.iter().map(|more| html! { <small>{ more.clone() }</small> }) }
                    if let Some(style) = share {
                        <span class="share" aria-hidden="true"><i {style}></i></span>
                    }
                </td>
            }
        });
        html! {
            <>
                if let Some(part) = row.part {
                    <tr class="part">
                        <th colspan={span.to_owned()} scope="colgroup">{ part }</th>
                    </tr>
                }
                <tr><th scope="row">{ row.label.clone() }</th>{ for cells }</tr>
            </>
        }
    }

    fn histograms(&self) -> Html {
        let options = self.view.measures.iter().enumerate().map(|(at, label)| {
            html! { <option key={at} selected={at == self.view.measure}>{ label.clone() }</option> }
        });
        let onchange = self.on.reform(|event: Event| {
            let field: Option<HtmlSelectElement> = event.target_dyn_into();
            let at = field.map_or(0, |field| field.selected_index().max(0) as usize);
            Input::Crowd(CrowdInput::Measure(at))
        });
        html! {
            <section class="crowd-bars" aria-labelledby="crowd-by">
                <h2><label id="crowd-by" for="crowd-measure">
                    { self.word(CrowdWord::Histogram) }</label>{ " " }
                    <select id="crowd-measure" {onchange}>{ for options }</select>
                </h2>
                <p class="hint">{ self.word(CrowdWord::BarHint) }</p>
                { for self.view.histograms.iter().map(|bars| self.bars(bars)) }
            </section>
        }
    }

    fn bars(&self, bars: &Bars) -> Html {
        let variant = bars.variant;
        let each = bars.bars.iter().enumerate().map(|(at, bar)| {
            let real = bar.real.map(|height| {
                let style = format!("height:{height:.1}%");
                html! { <b class="real" aria-hidden="true" {style}></b> }
            });
            if bar.count == 0 {
                return html! { <li key={at} title={bar.says.clone()}>{ real }</li> };
            }
            let style = format!("height:{:.1}%", bar.height.max(3.0));
            html! {
                <li key={at}>
                    <button type="button" aria-label={bar.says.clone()} title={bar.says.clone()}
                        class={classes!(bar.bad.then_some("bad"))}
                        disabled={self.view.running}
                        data-seed={bar.seed.to_string()}
                        onclick={self.press(CrowdInput::Look(variant, bar.seed))}>
                        <i {style}><span>{ bar.count }</span></i>
                    </button>
                    { real }
                </li>
            }
        });
        let [low, high] = &bars.ends;
        html! {
            <div class={format!("histogram look-{}", variant % 8)} key={variant}
                data-variant={variant.to_string()}>
                <h3><i aria-hidden="true"></i>{ bars.label.clone() }</h3>
                <ul>{ for each }</ul>
                <p aria-hidden="true"><span>{ low.clone() }</span>
                    if bars.bars.len() > 1 { <span>{ high.clone() }</span> }
                </p>
            </div>
        }
    }

    fn sweep(&self, sweep: &Sweep) -> Html {
        let name = if sweep.which == Which::Down { "down" } else { "sweep" };
        let id = ["crowd-", name].concat();
        let mut rows = sweep.rows.iter();
        let head = rows.next().into_iter().flatten().map(|text| {
            html! { <th scope="col">{ text.clone() }</th> }
        });
        let body = rows.map(|row| {
            let cells = row.iter().map(|text| html! { <td>{ text.clone() }</td> });
            html! { <tr>{ for cells }</tr> }
        });
        let legend = sweep.charts.first().into_iter().flat_map(|chart| &chart.lines);
        let legend = legend.map(|line| {
            html! {
                <li key={line.variant} class={format!("look-{}", line.variant % 8)}>
                    <i aria-hidden="true"></i>{ line.label.clone() }</li>
            }
        });
        html! {
            <section key={name} class={classes!("crowd-sweep", sweep.is_last.then_some("is-last"))}>
                <h2 id={id.clone()}>{ sweep.title }</h2>
                <p class="hint">{ sweep.hint }</p>
                <ul class="looks">{ for legend }</ul>
                <div class="charts">
                    { for sweep.charts.iter().map(|chart| self.chart(chart)) }
                </div>
                <details class="twin-table">
                    <summary>{ self.word(CrowdWord::SweepTable) }</summary>
                    <div class="scrolls" tabindex="0" role="region" aria-labelledby={id}>
                        <table class="crowd-table"><thead><tr>{ for head }</tr></thead>
                            <tbody>{ for body }</tbody></table>
                    </div>
                </details>
                if let Some(note) = &sweep.note { <p class="below">{ note.clone() }</p> }
                <p class="below"><button type="button" class="plain" data-save={name}
                    onclick={self.press(CrowdInput::Save(sweep.which))}>
                    { self.word(CrowdWord::SaveSweep) }</button></p>
            </section>
        }
    }

    fn chart(&self, chart: &Chart) -> Html {
        let (left, bottom) = (chart.below.first().map_or(0.0, |(x, _)| *x), chart.floor);
        let beside = chart.beside.iter().map(|(y, text)| {
            html! {
                <>
                    <line class="grid" x1={left.to_string()} x2={(WIDTH - 24.0).to_string()}
                        y1={px(*y)} y2={px(*y)} />
                    <text x={(left - 8.0).to_string()} y={px(*y + 4.0)} text-anchor="end">
                        { text.clone() }</text>
                </>
            }
        });
        let below = chart.below.iter().map(|(x, text)| {
            html! {
                <text x={px(*x)} y={px(bottom + 20.0)} text-anchor="middle">{ text.clone() }</text>
            }
        });
        html! {
            <figure key={chart.title.clone()}>
                <figcaption>{ chart.title.clone() }</figcaption>
                <svg role="img" aria-label={chart.says.clone()}
                    viewBox={format!("0 0 {WIDTH} {HEIGHT}")}>
                    { for beside }
                    { for below }
                    <text x={px((left + WIDTH) / 2.0)} y={px(bottom + 40.0)} text-anchor="middle">
                        { chart.axis }</text>
                    { for chart.lines.iter().map(line) }
                </svg>
            </figure>
        }
    }
}

fn line(line: &Line) -> Html {
    let points: Vec<String> =
        line.points.iter().map(|(x, y)| [&px(*x), ",", &px(*y)].concat()).collect();
    let dots = line.points.iter().map(|(x, y)| {
        html! { <circle cx={px(*x)} cy={px(*y)} r="3" /> }
    });
    html! {
        <g class={format!("line look-{}", line.variant % 8)}>
            <polyline points={points.join(" ")} />
            { for dots }
        </g>
    }
}

fn px(place: f64) -> String {
    format!("{place:.1}")
}
