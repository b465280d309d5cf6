// Types of <redis-lesson>, which static/embed/embed.js defines; static/embed/README.md explains them.

/**
 * Defines <redis-lesson> by the script of the page that is served at `base`, an absolute address that
 * ends with a slash: `https://interleave.example/`. Rejects if the script cannot be loaded.
 */
export function load(base: string | URL): Promise<void>;

/** A flag of an address: "1" is on, "0" is off. */
export type Flag = "0" | "1";

/** The attributes. Lists are separated by commas. `lang`, `theme` and those of the view may change at any time. */
export interface RedisLessonAttributes {
  // ---- The view: what stands after # in a shared address ----
  /** The lesson's id: "lost-update". */
  lesson?: string;
  /** The id of one of the lesson's variants. */
  variant?: string;
  /** The part that is open: "watch", "schedule", "break", "find", "fix", "crowd" or "review". */
  mode?: string;
  /** The id of a story. */
  walk?: string;
  /** The steps of a run: "A1.B1.A2". */
  schedule?: string;
  /** The name of a run. */
  run?: string;
  /** The step at which it stands; 0 is before the first one. */
  step?: string | number;
  /** "1": the bytes between client and server are shown. */
  wire?: Flag;
  /** Another run of the same variant, "A1.A2.B1", beside this one. */
  compare?: string;
  /** The ids of other variants that follow the run, separated by dots. */
  beside?: string;
  /** What differs from the lesson's crowd, as a shared address has it. */
  crowd?: string;
  /** The id of a question or an advice of a guide. */
  at?: string;
  /** A program of the author's, packed as a shared address has it. */
  code?: string;
  /** The same as plain text. */
  program?: string;
  /** A scenario of the playground, packed as a shared address has it; instead of `lesson`. */
  scenario?: string;

  // ---- The frame ----
  /** "en" or "zh", also "zh-Hans"; another language is as none. Without it: that of the text around, or the reader's. */
  lang?: string;
  /** Without it "host": the theme of the page around. "auto" is the system's. */
  theme?: "host" | "auto" | "light" | "dark";
  /** The modes a reader can open: "watch,schedule,break,find,fix,crowd,review", "situation", "edit". */
  tabs?: string;
  /** The panels of a run: "code,diagram,redis", "map" or "none". */
  panels?: string;
  /** The buttons at the foot: "step,scrub,play,more" or "none". */
  controls?: string;
  /** The first step of the story that is shown; 0 is before the first one. */
  from?: string | number;
  /** The last step of the story that is shown. */
  to?: string | number;
  /** "1": play starts again at the end. */
  repeat?: Flag;
  /** "1": a reader follows the given run and cannot change it. */
  readonly?: Flag;
  /** "0": no hints. */
  hints?: Flag;
  /** "0": no keyboard shortcuts. */
  keys?: Flag;
  /** "0": an exam. */
  answers?: Flag;
  /** The goals that count for the score: "watch,break,fix,review". */
  goal?: string;
  /**
   * CSS pixels, 120 to 10000: the frame keeps this height. "auto": as high as its content, even if that is
   * higher than the window. Without it: as high as its content, but no higher than the window.
   */
  height?: string | number;
  /** The greatest height in CSS pixels, 120 to 10000. */
  max?: string | number;
  /** The only origin that gets learner events and may send messages: "https://course.example". */
  origin?: string;
  /** How the height is told to other hosts: "lti", "h5p". */
  compat?: string;
  /** "1": nothing is loaded before a click. */
  poster?: Flag;
  /** The poster's text, and the frame's name. */
  title?: string;
  /** The frame's sandbox; without it "allow-scripts allow-same-origin" where the origins differ. */
  sandbox?: string;
}

/** What every message has. */
export interface Message {
  ns: "interleave";
  v: 1;
  type: string;
}

/** The detail of "lesson-ready": the lesson is visible. */
export interface Ready extends Message {
  lesson: string;
  /** In the lesson's language. */
  title: string;
}

/** The detail of "lesson-step": the learner moved to another step. */
export interface Step extends Message {
  lesson: string;
  variant: string;
  mode: string;
  /** 0 is before the first step, `steps` is the end of the story or run. */
  step: number;
  steps: number;
}

/** The detail of "lesson-violation": a property that must hold was broken. */
export interface Violation extends Message {
  lesson: string;
  variant: string;
  mode: string;
  /** The property's id. */
  property: string;
  /** The step that broke it, from 1. */
  step: number;
  /** The steps up to there: "A1.B1.A2.B2". */
  schedule: string;
}

/** The detail of "lesson-goal": something was reached or answered. */
export interface Goal extends Message {
  lesson: string;
  goals: string[];
  reached: string[];
  /** Percent: 0 to 100. */
  score: number;
  max: 100;
  complete: boolean;
  /** Questions of the story that were passed without an answer. */
  skipped: number;
  /** The questions that were met. */
  questions: Question[];
  /** What was done, in words. */
  progress: string;
}

export interface Question {
  /** "watch.ID" of a story, "review.ID" of a question of the review. */
  id: string;
  /** The numbers of the choices, from 0; null if it was skipped. */
  answer: number[] | null;
  right: boolean;
}

/** The detail of "lesson-error": the text of a banner, or that the lesson stopped. */
export interface Failure extends Message {
  message: string;
}

/** The answer to what you send. Promises reject where `ok` is false. */
export interface Answer extends Message {
  id: number | string | null;
  ok: boolean;
  error?: string;
  state?: State;
}

/** What `getState` gives; without a lesson, `lang` and `theme` alone. */
export interface State extends Partial<Omit<Step, keyof Message>>, Partial<Omit<Goal, keyof Message>> {
  lang: "en" | "zh";
  theme: "auto" | "light" | "dark";
  schedule?: string;
  /** The ids of the properties that are broken at this step. */
  broken?: string[];
  playing?: boolean;
  /** The view, as it stands after # in an address. */
  link?: string;
}

/** Its methods reject after 10,000 ms without an answer: before the frame was seen, for instance. */
export interface RedisLesson extends HTMLElement {
  /** There once the element is in the document. */
  readonly frame?: HTMLIFrameElement;
  /** The frame's address, as the attributes are now. */
  address(): string;
  /** Sends any message of the reference: `send("hello")`. */
  send(type: string, fields?: object): Promise<Answer>;
  /** Goes to a step; 0 is before the first one. */
  goto(step: number): Promise<Answer>;
  play(): Promise<Answer>;
  pause(): Promise<Answer>;
  reset(): Promise<Answer>;
  /** Opens another view: what stands after # in a shared address, without programs. */
  load(link: string): Promise<Answer>;
  getState(): Promise<State>;
}

/** The events, on the element; they bubble. */
export interface RedisLessonEvents {
  "lesson-ready": CustomEvent<Ready>;
  "lesson-step": CustomEvent<Step>;
  "lesson-violation": CustomEvent<Violation>;
  "lesson-goal": CustomEvent<Goal>;
  "lesson-error": CustomEvent<Failure>;
}

declare global {
  interface HTMLElementTagNameMap {
    "redis-lesson": RedisLesson;
  }
  interface HTMLElementEventMap extends RedisLessonEvents {}
}
