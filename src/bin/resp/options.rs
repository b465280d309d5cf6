//! The command line.

use interleave::engine::{Config, Version};

const USAGE: &str = "\
The Interleave engine behind a TCP port, for redis-cli, client libraries and redis-benchmark.

usage: resp [--port N] [--version 7.0|7.2|7.4|8.0|8.2|8.4|valkey8|valkey9]
            [--maxclients N] [--databases N] [--seed N]

  --port        port on 127.0.0.1 (default 6379; 0 takes a free one)
  --version     which server to be (default 7.0)
  --maxclients  connections at a time (default 10000)";

#[derive(Debug)]
pub struct Options {
    pub port: u16,
    pub config: Config,
}

impl Options {
    pub fn parse(args: impl Iterator<Item = String>) -> Result<Options, String> {
        let mut options = Options { port: 6379, config: Config::default() };
        let mut args = args;
        while let Some(arg) = args.next() {
            if arg == "--help" || arg == "-h" {
                return Err(USAGE.into());
            }
            let value = args.next().ok_or_else(|| format!("{arg} wants a value\n\n{USAGE}"))?;
            let number =
                || value.parse::<u64>().map_err(|_| format!("{arg}: not a number: {value}"));
            match arg.as_str() {
                "--port" => {
                    let port = u16::try_from(number()?);
                    options.port = port.map_err(|_| format!("--port: no such port: {value}"))?;
                }
                "--maxclients" => options.config.max_clients = number()? as usize,
                "--databases" => options.config.databases = number()? as usize,
                "--seed" => options.config.seed = number()?,
                "--version" => {
                    let version = Version::parse(&value);
                    options.config.version =
                        version.ok_or_else(|| format!("--version: unknown: {value}\n\n{USAGE}"))?;
                }
                _ => return Err(format!("unknown option {arg}\n\n{USAGE}")),
            }
        }
        Ok(options)
    }
}
