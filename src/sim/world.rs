//! The world as a value: its components, questions about them, and its start. The transitions are
//! in `apply` and `faults`.
//!
//! Every component is a small value behind a shared pointer, so that a world can be taken apart and
//! put together again, and a step copies only what it changes: the client that steps, the instance
//! it calls, and the clients woken by that.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::rc::Rc;

use crate::engine::{Instance, KeyChange, Lacking, Outcome};
use crate::lua::Trace;
use crate::resp::{Bytes, Value};

use super::action::{Action, ClientId, Impossible, NodeId, ProcessId};
use super::apply::Log;
use super::client::{Around, Call, CallKind, Client, State, Woken};
use super::connections::SharedConnections;
use super::faults::aims_at;
use super::mutexes::Mutexes;
use super::node::{Link, Node, conn_id};
use super::resource::Resources;
use super::scenario::{Faults, NodeDef, Scenario, Setting, StartError, TimeMode};
use super::sql::{Prepared, Tables};
use super::variables::Variables;
use super::{MAX_NODES, START_MS};

/// The visible effects of an action.
#[derive(Debug, Clone, PartialEq)]
pub struct Seen {
    pub event: Event,
    /// The keys that changed, in order of (instance, database, key).
    pub changes: Vec<Change>,
    /// True if Redis counted a write, even one that left the value as it was.
    pub wrote: bool,
    /// The programs that ran, with their lines and the values that changed.
    pub ran: Vec<Ran>,
    /// The values that reached consoles, in order: replies, at once or late, and messages.
    pub heard: Vec<(ClientId, Value)>,
    /// The values that an instance sent later than the call: replies to commands that had waited,
    /// and messages; each with the client and the number of its connection.
    pub late: Vec<(ClientId, u8, Value)>,
}

/// A key that changed, and where.
#[derive(Debug, Clone, PartialEq)]
pub struct Change {
    pub node: NodeId,
    pub of: KeyChange,
}

impl std::ops::Deref for Change {
    type Target = KeyChange;
    fn deref(&self) -> &KeyChange {
        &self.of
    }
}

#[derive(Debug, Clone, PartialEq)]
pub enum Event {
    /// The setup was executed, and every program ran to its first call.
    Start,
    /// A call. `reply` is `None` if it is held back, or if no instance answers. It is what the
    /// client gets: where a reply was left unread on its connection, that one. `lost`: the call was
    /// executed, and the client got an error in place of its reply.
    Call {
        client: ClientId,
        call: Call,
        reply: Option<Value>,
        lost: bool,
    },
    /// In wire mode, the three parts of a call to Redis.
    Send {
        client: ClientId,
        call: Call,
    },
    Execute {
        client: ClientId,
        call: Call,
        reply: Option<Value>,
    },
    Reply {
        client: ClientId,
        call: Call,
        reply: Value,
    },
    /// A call that was lost on its way to the server.
    Unheard {
        client: ClientId,
        call: Call,
    },
    Advance {
        from_ms: u64,
        to_ms: u64,
    },
    /// An action that needs no details.
    Other(Action),
}

impl Event {
    /// Returns the call that was executed, with its client and the reply.
    pub fn executed(&self) -> Option<(ClientId, &Call, Option<&Value>)> {
        match self {
            Event::Call { client, call, reply, .. } | Event::Execute { client, call, reply } => {
                Some((*client, call, reply.as_ref()))
            }
            _ => None,
        }
    }
}

/// One program's run between two pauses.
#[derive(Debug, Clone, PartialEq)]
pub struct Ran {
    pub client: ClientId,
    pub trace: Trace,
}

/// Something that happens by itself at a deadline.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Due {
    /// A key expires.
    Key { node: NodeId, key: Bytes },
    /// A client wakes up, or its wait times out.
    Client(ClientId),
}

/// Redis instances, their clients, everything beside them, and the time. Cloning is cheap; equality
/// and hash are exact.
#[derive(Clone, PartialEq, Eq)]
pub struct World {
    pub(super) setting: Rc<Setting>,
    pub(super) now_ms: u64,
    pub(super) nodes: Vec<Rc<Node>>,
    /// By name of an instance, the instance that serves it: another one after a failover.
    pub(super) routes: [NodeId; MAX_NODES],
    pub(super) links: Vec<Rc<Link>>,
    pub(super) clients: Vec<Rc<Client>>,
    /// The consoles at which something was typed, by number.
    pub(super) consoles: Vec<Rc<Client>>,
    pub(super) mutexes: Rc<Mutexes>,
    pub(super) variables: Rc<Variables>,
    /// The connections that the clients of a process share.
    pub(super) shared: Rc<SharedConnections>,
    pub(super) sql: Rc<Tables>,
    pub(super) resources: Rc<Resources>,
    pub(super) budget: Faults,
}

impl Hash for World {
    /// Hashes everything but the setting, which is the same for all worlds of a scenario.
    fn hash<H: Hasher>(&self, state: &mut H) {
        (self.now_ms, &self.nodes, &self.clients, self.routes, &self.links).hash(state);
        (&self.mutexes, &self.sql, &self.resources, self.budget).hash(state);
        // A run without them keeps the fingerprints that it has always had.
        if !self.consoles.is_empty() {
            self.consoles.hash(state);
        }
        if !self.variables.is_empty() {
            self.variables.hash(state);
        }
        if !self.shared.is_empty() {
            self.shared.hash(state);
        }
    }
}

impl fmt::Debug for World {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let states: Vec<_> = self.clients.iter().map(|client| client.state()).collect();
        f.debug_struct("World")
            .field("now_ms", &self.now_ms)
            .field("clients", &states)
            .field("budget", &self.budget)
            .finish_non_exhaustive()
    }
}

impl World {
    /// Executes the setup and runs every program to its first call. The error is a mistake of the
    /// scenario's author.
    pub fn start(scenario: &Scenario) -> Result<(World, Seen), StartError> {
        let mut setting = Setting::new(scenario)?;
        let default = [NodeDef { name: setting.nodes[0].clone(), ..NodeDef::default() }];
        let defs = if scenario.nodes.is_empty() { &default } else { scenario.nodes.as_slice() };
        let nodes: Vec<Rc<Node>> = defs.iter().map(set_up).collect::<Result<_, _>>()?;
        if scenario.faults.rewind > 0 {
            setting.saved.clone_from(&nodes);
        }
        let mut world = World {
            now_ms: START_MS,
            nodes,
            routes: std::array::from_fn(|at| NodeId(at as u8)),
            links: links(defs, &setting)?,
            clients: Vec::new(),
            consoles: Vec::new(),
            mutexes: Rc::default(),
            variables: Rc::default(),
            shared: Rc::default(),
            sql: Rc::new(tables(&scenario.sql)?),
            resources: Rc::default(),
            // The length stays when the last pause has begun.
            budget: Faults { pause_ms: scenario.faults.longest_pause_ms(), ..scenario.faults },
            setting: Rc::new(setting),
        };
        // A replica whose clock is ahead finds some of its copy expired.
        world.sync(&mut Log::new(false));
        let mut ran = Vec::new();
        for (index, def) in scenario.clients.iter().enumerate() {
            let id = ClientId(index as u16);
            let default = Rc::make_mut(&mut world.nodes[0]);
            let now_ms = default.now_ms(START_MS);
            default.instance.connect_as(conn_id(id, 0), now_ms);
            let mut client = Client::new(&def.program, id, def.clock_ms);
            let mut trace = Trace::default();
            let mut around = world.around();
            client.run(&mut around, Some(&mut trace));
            // A program that begins with a sleep is late when it wakes.
            let begins_late = scenario.slow_ms > 0 && around.has_told_time;
            if begins_late || scenario.starts_within_ms > 0 {
                client = Client::new(&def.program, id, def.clock_ms);
                client.state = State::Ready(Call {
                    kind: CallKind::Wake(Woken::Start),
                    line: 1,
                    protected: false,
                });
                trace = Trace::default();
            }
            ran.push(Ran { client: id, trace });
            world.clients.push(Rc::new(client));
        }
        let empty: Vec<Rc<Node>> = defs.iter().map(|def| Rc::new(new_node(def))).collect();
        let changes = world.changes_since(&empty);
        let wrote = !changes.is_empty();
        let (heard, late) = (Vec::new(), Vec::new());
        Ok((world, Seen { event: Event::Start, changes, wrote, ran, heard, late }))
    }

    /// Returns the setting, which never changes: names, processes, modes.
    pub fn setting(&self) -> &Rc<Setting> {
        &self.setting
    }

    /// Returns the world's time in ms since 1970; all other clocks are relative to it.
    pub fn now_ms(&self) -> u64 {
        self.now_ms
    }

    pub fn set_now_ms(&mut self, now_ms: u64) {
        self.now_ms = now_ms;
    }

    /// Returns the instance that serves the default name.
    pub fn redis(&self) -> &Instance {
        &self.nodes[self.routes[0].index()].instance
    }

    /// Returns the instances with clocks and states, in the scenario's order.
    pub fn nodes(&self) -> &[Rc<Node>] {
        &self.nodes
    }

    pub fn node(&self, id: NodeId) -> Option<&Rc<Node>> {
        self.nodes.get(id.index())
    }

    /// Replaces the node `id`; does nothing if there is none.
    pub fn set_node(&mut self, id: NodeId, node: Rc<Node>) {
        if let Some(place) = self.nodes.get_mut(id.index()) {
            *place = node;
        }
    }

    pub fn instance(&self, id: NodeId) -> Option<&Instance> {
        self.node(id).map(|node| &node.instance)
    }

    pub fn instance_mut(&mut self, id: NodeId) -> Option<&mut Instance> {
        self.nodes.get_mut(id.index()).map(|node| &mut Rc::make_mut(node).instance)
    }

    /// Returns the instance that serves the name of `id`: itself, until a failover.
    pub fn serving(&self, id: NodeId) -> NodeId {
        self.routes.get(id.index()).copied().unwrap_or(id)
    }

    /// Returns what the instance that serves a call lacks of its command.
    pub fn lacking(&self, call: &Call) -> Option<Lacking> {
        let node = self.node(self.serving(call.node()?))?;
        Lacking::of(call.argv(), node.instance.version())
    }

    pub fn routes(&self) -> [NodeId; MAX_NODES] {
        self.routes
    }

    pub fn set_routes(&mut self, routes: [NodeId; MAX_NODES]) {
        self.routes = routes;
    }

    /// Returns the replication links, by replica.
    pub fn links(&self) -> &[Rc<Link>] {
        &self.links
    }

    pub fn set_links(&mut self, links: Vec<Rc<Link>>) {
        self.links = links;
    }

    /// Returns the link by which `id` follows its master; `None` for a master.
    pub fn link_of(&self, id: NodeId) -> Option<&Rc<Link>> {
        self.links.iter().find(|link| link.replica == id)
    }

    pub fn clients(&self) -> &[Rc<Client>] {
        &self.clients
    }

    /// Returns a client of the scenario, or a console at which something was typed.
    pub fn client(&self, id: ClientId) -> Option<&Client> {
        match id.is_console() {
            true => self.console_at(id).map(|at| self.consoles[at].as_ref()),
            false => self.clients.get(id.index()).map(Rc::as_ref),
        }
    }

    pub fn set_client(&mut self, id: ClientId, client: Rc<Client>) {
        if let Some(place) = self.clients.get_mut(id.index()) {
            *place = client;
        }
    }

    /// Returns the clients of the scenario.
    pub fn ids(&self) -> impl Iterator<Item = ClientId> + use<> {
        (0..self.clients.len() as u16).map(ClientId)
    }

    /// Returns the clients of the scenario, then the consoles at which something was typed.
    pub fn everybody(&self) -> impl Iterator<Item = ClientId> + use<> {
        let consoles: Vec<ClientId> = self.consoles.iter().map(|console| console.id).collect();
        self.ids().chain(consoles)
    }

    pub fn mutexes(&self) -> &Rc<Mutexes> {
        &self.mutexes
    }

    pub fn set_mutexes(&mut self, mutexes: Rc<Mutexes>) {
        self.mutexes = mutexes;
    }

    /// Returns the variables that the clients of a process share.
    pub fn variables(&self) -> &Rc<Variables> {
        &self.variables
    }

    pub fn set_variables(&mut self, variables: Rc<Variables>) {
        self.variables = variables;
    }

    pub fn sql(&self) -> &Rc<Tables> {
        &self.sql
    }

    pub fn set_sql(&mut self, sql: Rc<Tables>) {
        self.sql = sql;
    }

    pub fn resources(&self) -> &Rc<Resources> {
        &self.resources
    }

    pub fn set_resources(&mut self, resources: Rc<Resources>) {
        self.resources = resources;
    }

    /// Returns the faults that may still happen.
    pub fn budget(&self) -> Faults {
        self.budget
    }

    pub fn set_budget(&mut self, budget: Faults) {
        self.budget = budget;
    }

    /// Returns the process that a client belongs to.
    pub fn process(&self, id: ClientId) -> ProcessId {
        self.setting.process_of.get(id.index()).copied().unwrap_or_default()
    }

    /// True when every client has come to its end, failed or crashed.
    pub fn all_over(&self) -> bool {
        self.clients.iter().all(|client| client.is_over())
    }

    /// Returns the next time at which something happens by itself, in ms.
    pub fn next_deadline_ms(&self) -> Option<u64> {
        let clients = self.clients.iter().chain(&self.consoles);
        let clients = clients.filter_map(|client| client.deadline_ms());
        let nodes = self.nodes.iter().filter_map(|node| node.next_deadline_ms(self.now_ms));
        clients.chain(nodes).min()
    }

    /// Returns the named events at the next deadline: keys that expire, waits of clients that end.
    pub fn due(&self) -> Vec<Due> {
        let Some(at_ms) = self.next_deadline_ms() else { return Vec::new() };
        let mut due = Vec::new();
        for (id, node) in self.setting.node_ids().zip(&self.nodes).filter(|(_, node)| node.up) {
            for db in 0..node.instance.databases() {
                if node.instance.db_len(db) == 0 {
                    continue;
                }
                let entries = node.instance.entries(db, node.now_ms(self.now_ms));
                let expires = |at: u64| node.world_ms(at) == at_ms;
                let entries = entries.filter(|e| e.expires_at.is_some_and(expires));
                due.extend(entries.map(|entry| Due::Key { node: id, key: entry.key }));
            }
        }
        let times_out = |id: &ClientId| {
            let Some(client) = self.client(*id) else { return false };
            client.deadline_ms() == Some(at_ms) || self.blocked_until_ms(client) == Some(at_ms)
        };
        due.extend(self.everybody().filter(times_out).map(Due::Client));
        due
    }

    /// Returns the time at which Redis ends a blocking command of `client`, in the world's time.
    pub fn blocked_until_ms(&self, client: &Client) -> Option<u64> {
        let State::Blocked(call) = client.state() else { return None };
        let CallKind::Redis { node, connection, .. } = &call.kind else { return None };
        let node = self.node(self.serving(*node))?;
        let conn = node.instance.conn(self.conn_of(client.id, *connection))?;
        conn.blocked?.timeout_at_ms.map(|at| node.world_ms(at))
    }

    /// Lists all that can happen next, in the order of [`Action`]. A step that draws at random is
    /// listed once for each outcome; the plain step, which draws by the seed, is possible too. Time
    /// may move whenever there is a deadline; faults happen as far as the scenario allows them.
    pub fn enabled(&self) -> Vec<Action> {
        let mut all: Vec<Action> = Vec::new();
        let mut list = |actions: &mut dyn Iterator<Item = Action>| {
            all.extend(actions.filter(|action| self.possible(*action).is_ok()));
        };
        let budget = &self.budget;
        let clients = || self.ids();
        let processes = || (0..self.setting.processes.len() as u16).map(ProcessId);
        let nodes = || self.setting.node_ids();
        let outcomes: Vec<usize> = clients().map(|id| self.outcomes(id)).collect();
        let draws = |id: ClientId| outcomes[id.index()] > 0;
        list(&mut clients().filter(|id| !draws(*id)).map(Action::Step));
        for id in clients() {
            list(&mut (0..outcomes[id.index()] as u8).map(|outcome| Action::Draw(id, outcome)));
        }
        if self.setting.wire {
            list(&mut clients().map(Action::Send));
            list(&mut clients().filter(|id| !draws(*id)).map(Action::Execute));
            list(&mut clients().map(Action::Reply));
            for (id, client) in clients().zip(&self.clients) {
                list(&mut client.arrivals().map(|connection| Action::Arrive(id, connection)));
            }
        }
        list(&mut std::iter::once(Action::Advance));
        list(&mut clients().map(Action::Resume));
        list(&mut processes().map(Action::ResumeProcess));
        list(&mut nodes().map(Action::Up));
        list(&mut nodes().map(Action::Replicate));
        if budget.lose > 0 {
            list(&mut clients().map(Action::LoseReply));
        }
        if budget.pause > 0 {
            list(&mut clients().map(Action::Pause));
            list(&mut processes().map(Action::PauseProcess));
        }
        if budget.crash > 0 {
            list(&mut clients().map(Action::Crash));
            list(&mut processes().map(Action::CrashProcess));
        }
        if budget.jump > 0 {
            list(&mut clients().map(Action::JumpClient));
            list(&mut nodes().map(Action::JumpNode));
        }
        list(&mut nodes().filter(|_| budget.down > 0).map(Action::Down));
        list(&mut nodes().filter(|_| budget.restart > 0).map(Action::Restart));
        list(&mut nodes().filter(|_| budget.failover > 0).map(Action::Failover));
        list(&mut clients().filter(|_| budget.cancel > 0).map(Action::Cancel));
        for id in nodes().filter(|_| budget.evict > 0) {
            let keys = self.evictable(id).len() as u8;
            list(&mut (0..keys).map(|number| Action::Evict(id, number)));
        }
        list(&mut clients().filter(|_| budget.drop > 0).map(Action::LoseRequest));
        list(&mut nodes().filter(|_| budget.rewind > 0).map(Action::Rewind));
        all
    }

    /// Lists the actions of a search: those of [`World::enabled`], but time only where no unpaused
    /// client can go on (in [`TimeMode::Any`] also earlier, as often as the budget says; and where
    /// no client is held up for too long by that, see [`Scenario::slow_ms`], and
    /// [`Scenario::starts_within_ms`] for one that has not begun); and times that end
    /// between two deadlines (`World::ticks`). Instances may fail even when every program is
    /// over: a condition is asked of the data that is left.
    pub fn choices(&self) -> Vec<Action> {
        let mut choices = self.enabled();
        let early = self.setting.time == TimeMode::Any && self.budget.early > 0;
        if !early && !self.is_slow_enough() && choices.iter().any(|one| one.runs().is_some()) {
            choices.retain(|action| *action != Action::Advance);
        }
        let later = choices.iter().position(|one| *one > Action::Advance);
        let at = later.unwrap_or(choices.len());
        choices.splice(at..at, self.ticks());
        choices
    }

    /// Returns true if time may reach the next deadline though clients can go on: none of them is
    /// held up for longer than the setting says.
    pub(super) fn is_slow_enough(&self) -> bool {
        let is_prompt = self.setting.is_prompt();
        let Some(to_ms) = self.next_deadline_ms().filter(|_| !is_prompt) else { return false };
        let more_ms = to_ms.saturating_sub(self.now_ms);
        let mut running = self.ids().filter(|id| self.next_of(*id).is_some());
        running.all(|id| more_ms <= self.patience_ms(id))
    }

    /// Returns the action by which this client goes on, if it can: a step, or in wire mode the next
    /// part of its call, or a message that arrives.
    pub fn next_of(&self, id: ClientId) -> Option<Action> {
        let all = [Action::Step(id), Action::Send(id), Action::Execute(id), Action::Reply(id)];
        let message = || Some(Action::Arrive(id, self.client(id)?.arrivals().next()?));
        all.into_iter().find(|action| self.possible(*action).is_ok()).or_else(message)
    }

    /// Returns an error with the reason if `action` cannot happen.
    pub fn possible(&self, action: Action) -> Result<(), Impossible> {
        let met = |condition: bool| if condition { Ok(()) } else { Err(Impossible::NotNow) };
        let within = |left: u8| if left > 0 { Ok(()) } else { Err(Impossible::NoBudget) };
        if let Some(id) = action.client().filter(|id| id.is_console()) {
            self.existing(id)?;
            return met(action == Action::Disconnect(id) && self.is_connected(id));
        }
        match action {
            Action::Step(id) => {
                let call = self.ready_call(id)?;
                if let CallKind::Lock { name } = &call.kind
                    && let Some(owner) = self.mutexes.owner(self.process(id), name)
                {
                    return Err(Impossible::Locked { client: id, owner });
                }
                self.is_free(id, call)?;
                self.rows_are_free(id)?;
                met(!(self.setting.wire && matches!(call.kind, CallKind::Redis { .. })))
            }
            Action::Draw(id, outcome) => met(usize::from(outcome) < self.outcomes(id)),
            Action::Send(id) => {
                let call = self.ready_call(id)?;
                met(self.setting.wire && matches!(call.kind, CallKind::Redis { .. }))
            }
            Action::Execute(id) => met(matches!(self.existing(id)?.state(), State::Sent(call)
                if self.may_execute(id, call))),
            Action::Reply(id) => {
                let client = self.existing(id)?;
                met(self.setting.wire
                    && matches!(client.state(), State::Answered(call, _)
                        if self.may_arrive(id, call)))?;
                if client.paused.is_some() { Err(Impossible::Paused(id)) } else { Ok(()) }
            }
            Action::Arrive(id, number) => met(self.existing(id)?.arrivals().any(|at| at == number)),
            Action::Tick(ms) => {
                let then_ms = self.now_ms.saturating_add(ms.into());
                met(ms > 0 && self.next_deadline_ms().is_none_or(|at| at > then_ms))
            }
            Action::Advance => self.next_deadline_ms().map(|_| ()).ok_or(Impossible::NoDeadline),
            Action::LoseReply(id) | Action::LoseRequest(id) => {
                let is_request = action == Action::LoseRequest(id);
                let (left, of) = match is_request {
                    true => (self.budget.drop, self.budget.drop_of),
                    false => (self.budget.lose, self.budget.lose_of),
                };
                within(left)?;
                met(aims_at(of, &[id]))?;
                let client = self.existing(id)?;
                if client.paused.is_some() {
                    return Err(Impossible::Paused(id));
                }
                match client.state() {
                    State::Answered(..) if !is_request => met(self.setting.wire),
                    State::Sent(call) if is_request => {
                        let at = self.serving(call.node().unwrap_or_default());
                        met(self.may_execute(id, call) && self.is_up(at))
                    }
                    // A statement is one step, also in wire mode.
                    State::Ready(Call { kind: CallKind::Sql(_), .. }) => self.rows_are_free(id),
                    State::Ready(call @ Call { kind: CallKind::Redis { node, .. }, .. }) => {
                        self.is_free(id, call)?;
                        met(!self.setting.wire && self.is_up(self.serving(*node)))
                    }
                    _ => Err(Impossible::NotReady(id)),
                }
            }
            other => self.fault_possible(other),
        }
    }

    /// Returns an error if another client's call is in the way of this one.
    pub(super) fn is_free(&self, id: ClientId, call: &Call) -> Result<(), Impossible> {
        match self.kept_off(id, call) {
            Some(owner) => Err(Impossible::Busy { client: id, owner }),
            None => Ok(()),
        }
    }

    /// Returns the clients with open transactions for which the statement that this client is about
    /// to send, or has sent, waits.
    pub(super) fn waits_for_rows_of(&self, id: ClientId) -> Vec<ClientId> {
        let client = self.client(id).filter(|client| client.paused.is_none());
        match client.and_then(Client::ready).map(|call| &call.kind) {
            Some(CallKind::Sql(prepared)) => self.sql.in_the_way(id, prepared),
            _ => Vec::new(),
        }
    }

    /// Returns an error if a client's statement waits for a row. It does not wait if others wait
    /// for rows of this client, and it for theirs: that is a deadlock, which the database ends.
    fn rows_are_free(&self, id: ClientId) -> Result<(), Impossible> {
        let mut met = self.waits_for_rows_of(id);
        let Some(&owner) = met.first() else { return Ok(()) };
        let mut at = 0;
        while let Some(&other) = met.get(at) {
            for next in self.waits_for_rows_of(other) {
                if next == id {
                    return Ok(());
                }
                if !met.contains(&next) {
                    met.push(next);
                }
            }
            at += 1;
        }
        Err(Impossible::RowLocked { client: id, owner })
    }

    pub(super) fn is_up(&self, id: NodeId) -> bool {
        self.node(id).is_some_and(|node| node.up)
    }

    pub(super) fn existing(&self, id: ClientId) -> Result<&Client, Impossible> {
        self.client(id).ok_or(Impossible::NoSuchClient(id))
    }

    fn ready_call(&self, id: ClientId) -> Result<&Call, Impossible> {
        let client = self.existing(id)?;
        let call = client.ready().ok_or(Impossible::NotReady(id))?;
        if client.paused.is_some() { Err(Impossible::Paused(id)) } else { Ok(call) }
    }

    pub(super) fn around(&mut self) -> Around<'_> {
        let shared = (&mut self.mutexes, &mut self.variables);
        Around::new(self.now_ms, &self.setting, shared)
    }

    /// Returns the changes of the keyspaces since they were `before`.
    pub(super) fn changes_since(&self, before: &[Rc<Node>]) -> Vec<Change> {
        let mut changes = Vec::new();
        for ((id, old), new) in self.setting.node_ids().zip(before).zip(&self.nodes) {
            if !Rc::ptr_eq(old, new) {
                let found = old.instance.diff(&new.instance).into_iter();
                changes.extend(found.map(|of| Change { node: id, of }));
            }
        }
        changes
    }
}

fn new_node(def: &NodeDef) -> Node {
    Node::new(def.clock_ms, def.version.unwrap_or_default())
}

/// Creates the instance of `def` and executes its setup.
fn set_up(def: &NodeDef) -> Result<Rc<Node>, StartError> {
    let mut node = new_node(def);
    let now_ms = node.now_ms(START_MS);
    let admin = node.instance.connect();
    for (command, argv) in def.setup.iter().enumerate() {
        match node.instance.execute(admin, argv, now_ms) {
            Outcome::Reply(reply) if reply.is_error() => {
                let lacking = Lacking::of(argv, node.instance.version());
                return Err(StartError::Setup { node: def.name.clone(), command, reply, lacking });
            }
            _ => {}
        }
    }
    node.instance.disconnect(admin);
    Ok(Rc::new(node))
}

/// Creates the replication links; each begins by copying the master's data.
fn links(defs: &[NodeDef], setting: &Setting) -> Result<Vec<Rc<Link>>, StartError> {
    let mut links = Vec::new();
    for (replica, def) in setting.node_ids().zip(defs) {
        let Some(name) = &def.replica_of else { continue };
        let mistake = |text: String| Err(StartError::Scenario(format!("{}: {text}", def.name)));
        let Some(master) = setting.node(name) else {
            return mistake(format!("there is no instance {name} to replicate"));
        };
        if defs[master.index()].replica_of.is_some() {
            return mistake(format!("{name} is itself a replica: name its master"));
        }
        if !def.setup.is_empty() {
            return mistake(format!("a replica gets its data from {name}: it has no setup"));
        }
        links.push(Rc::new(Link { replica, master, backlog: Default::default(), stale: true }));
    }
    Ok(links)
}

fn tables(statements: &[String]) -> Result<Tables, StartError> {
    let mut tables = Tables::default();
    for (statement, text) in statements.iter().enumerate() {
        Prepared::new(text.as_bytes(), &[])
            .and_then(|prepared| tables.execute(&prepared))
            .map_err(|why| StartError::Sql { statement, why })?;
    }
    Ok(tables)
}
