//! Seeded random command sequences, compared with the real server. To be written.
