//! The command line of `interleave server`.

use clap::Parser;

use engine::{Config, Version};

/// Serve the engine on a TCP port, for redis-cli, client libraries and redis-benchmark.
#[derive(Debug, Parser)]
#[command(name = "resp")]
pub struct Options {
    /// The port on 127.0.0.1; 0: any free one
    #[arg(long, value_name = "N", default_value_t = 6379)]
    pub port: u16,
    /// The server to be: 7.0, 7.2, 7.4, 8.0, 8.2, 8.4, valkey8 or valkey9
    #[arg(long = "version", value_parser = Version::of_word, default_value = "7.0")]
    pub of: Version,
    /// Connections at a time
    #[arg(long, value_name = "N", default_value_t = Config::default().max_clients)]
    pub maxclients: usize,
    /// Databases for SELECT
    #[arg(long, value_name = "N", default_value_t = Config::default().databases)]
    pub databases: usize,
    /// Decides everything that Redis leaves to chance
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub seed: u64,
}

impl Options {
    pub fn config(&self) -> Config {
        Config {
            version: self.of,
            databases: self.databases,
            max_clients: self.maxclients,
            seed: self.seed,
            ..Config::default()
        }
    }
}
