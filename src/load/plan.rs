//! The plan of a crowd: the number and times of requests, the distance of Redis, the cost of a
//! command, and the faults. All numbers are in one table, which parses and writes them, shows them
//! as a form and reports errors. To add a number, add a row.

use super::Spread;

/// The arrival of requests.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Arrival {
    /// Every client begins at once, and sends its next request when it has its answer (a closed
    /// system).
    #[default]
    AtOnce,
    /// The same, but the clients begin one after the other, over `ramp_ms`.
    Ramp,
    /// `rate` requests per second, independent of earlier ones (an open system).
    Poisson,
}

impl Arrival {
    pub const ALL: [Arrival; 3] = [Arrival::AtOnce, Arrival::Ramp, Arrival::Poisson];

    pub fn name(self) -> &'static str {
        match self {
            Arrival::AtOnce => "at-once",
            Arrival::Ramp => "ramp",
            Arrival::Poisson => "poisson",
        }
    }
}

macro_rules! plan {
    ($(
        $(#[$doc:meta])*
        $name:ident $unit:literal $default:literal $min:literal $max:literal
    ),* $(,)?) => {
        /// The parameters of a crowd.
        #[derive(Debug, Clone, PartialEq, Eq)]
        pub struct Plan {
            pub arrival: Arrival,
            /// The spread of the network's latency.
            pub spread: Spread,
            $($(#[$doc])* pub $name: u32),*
        }

        impl Default for Plan {
            fn default() -> Plan {
                Plan {
                    arrival: Arrival::default(),
                    spread: Spread::default(),
                    $($name: $default),*
                }
            }
        }

        /// The numbers of a [`Plan`], in the order of the form.
        pub const FIELDS: &[Field] = &[$(Field {
            name: stringify!($name),
            unit: $unit,
            min: $min,
            max: $max,
            get: |plan| plan.$name,
            set: |plan, value| plan.$name = value,
        }),*];
    };
}

plan! {
    clients "" 100 1 1000,
    /// Requests of each client, one after the other.
    requests "" 10 1 10000,
    /// The time over which clients begin, for [`Arrival::Ramp`].
    ramp_ms "ms" 1000 0 600000,
    /// The rate of requests, for [`Arrival::Poisson`].
    rate "/s" 1000 1 1000000,
    /// The mean time between a reply and the client's next request (exponentially distributed).
    think_ms "ms" 0 0 60000,
    /// The number of processes behind a balancer; 0: each client is a process of its own.
    processes "" 0 0 1000,
    /// The number of threads in each process; 0: as many as there are requests.
    threads "" 0 0 1000,
    /// The round trip time.
    rtt_us "µs" 500 0 1000000,
    /// The standard deviation of the round trip.
    jitter_us "µs" 100 0 1000000,
    /// The time to read a command and write its reply.
    command_ns "ns" 8000 0 100000000,
    /// The time of a VM instruction of a script; a command's own work counts as a hundred.
    instruction_ns "ns" 20 0 100000,
    /// Calls in a million before which the thread crashes.
    crash_ppm "ppm" 0 0 1000000,
    /// Calls in a million before which the thread pauses.
    pause_ppm "ppm" 0 0 1000000,
    /// The length of such a pause.
    pause_ms "ms" 100 1 60000,
    /// The greatest difference of a process's clock from the world's.
    skew_ms "ms" 0 0 60000,
    /// The number of instances that are unreachable, from the last one on.
    down "" 0 0 8,
    /// The simulated time at which the run is cut.
    limit_ms "ms" 600000 1 3600000,
}

/// One number of a plan.
#[derive(Debug, Clone, Copy)]
pub struct Field {
    pub name: &'static str,
    pub unit: &'static str,
    pub min: u32,
    pub max: u32,
    pub get: fn(&Plan) -> u32,
    pub set: fn(&mut Plan, u32),
}

/// The most requests of one run.
pub const REQUESTS_MAX: u64 = 1_000_000;

impl Plan {
    /// Returns the differences from `base`, as `clients=300,arrival=poisson`; empty if none.
    pub fn write(&self, base: &Plan) -> String {
        let mut parts: Vec<String> = Vec::new();
        if self.arrival != base.arrival {
            parts.push(["arrival=", self.arrival.name()].concat());
        }
        if self.spread != base.spread {
            parts.push(["spread=", self.spread.name()].concat());
        }
        for field in FIELDS.iter().filter(|field| (field.get)(self) != (field.get)(base)) {
            parts.push([field.name, "=", &(field.get)(self).to_string()].concat());
        }
        parts.join(",")
    }

    /// Returns `base` with the changes of the text. The error says what is wrong and what would be
    /// right.
    pub fn read(text: &str, base: &Plan) -> Result<Plan, String> {
        let mut plan = base.clone();
        for part in text.split(',').map(str::trim).filter(|part| !part.is_empty()) {
            let (name, value) =
                part.split_once('=').ok_or_else(|| format!("\"{part}\": write name=value"))?;
            plan.set(name.trim(), value.trim())?;
        }
        plan.fits().map(|()| plan)
    }

    fn set(&mut self, name: &str, value: &str) -> Result<(), String> {
        let none_of = |names: Vec<&str>| {
            Err(format!("{name}={value}: {name} is one of {}", names.join(", ")))
        };
        match name {
            "arrival" => match Arrival::ALL.into_iter().find(|a| a.name() == value) {
                Some(arrival) => self.arrival = arrival,
                None => return none_of(Arrival::ALL.map(Arrival::name).to_vec()),
            },
            "spread" => match Spread::ALL.into_iter().find(|s| s.name() == value) {
                Some(spread) => self.spread = spread,
                None => return none_of(Spread::ALL.map(Spread::name).to_vec()),
            },
            _ => {
                let Some(field) = FIELDS.iter().find(|field| field.name == name) else {
                    let known: Vec<&str> = FIELDS.iter().map(|field| field.name).collect();
                    let known = known.join(", ");
                    return Err(format!("\"{name}\": there are arrival, spread, {known}"));
                };
                let (min, max) = (field.min, field.max);
                let number = value.parse().ok().filter(|n| (min..=max).contains(n));
                let number = number.ok_or_else(|| {
                    format!("{name}={value}: {name} is a whole number from {min} to {max}")
                })?;
                (field.set)(self, number);
            }
        }
        Ok(())
    }

    /// Checks that it is small enough to be run.
    pub fn fits(&self) -> Result<(), String> {
        if self.total() > REQUESTS_MAX {
            let (clients, requests) = (self.clients, self.requests);
            return Err(format!(
                "{clients} clients × {requests} requests: a run has at most {REQUESTS_MAX}"
            ));
        }
        Ok(())
    }

    /// Returns the number of requests.
    pub fn total(&self) -> u64 {
        u64::from(self.clients) * u64::from(self.requests)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        let base = Plan::default();
        let plan = Plan { clients: 7, arrival: Arrival::Poisson, rate: 5, ..base.clone() };
        assert_eq!(plan.write(&base), "arrival=poisson,clients=7,rate=5");
        assert_eq!(Plan::read(&plan.write(&base), &base), Ok(plan));
        assert_eq!(base.write(&base), "");
    }

    #[test]
    fn mistakes_are_named_with_what_would_be_right() {
        let wrong = |text: &str| Plan::read(text, &Plan::default()).unwrap_err();
        assert!(wrong("clients=0").contains("from 1 to 1000"));
        assert!(wrong("clients=many").contains("whole number"));
        assert!(wrong("client=3").contains("there are arrival, spread, clients"));
        assert!(wrong("arrival=now").contains("at-once, ramp, poisson"));
        assert!(wrong("clients").contains("name=value"));
        assert!(wrong("clients=1000,requests=10000").contains("at most 1000000"));
    }
}
