// Links of somebody who wishes the page no good; benches/hostile.mjs has many more.

import zlib from "node:zlib";

/** A scenario of one's own, with one client. */
export function scenario(program, setup = "") {
  const own = { programs: [{ name: "program", text: program }], clients: [{}], setup, properties: [] };
  const packed = zlib.deflateRawSync(JSON.stringify(own)).toString("base64url");
  return `#page=playground&mode=schedule&lang=en&scenario=${packed}`;
}

/** A line at a console, as a schedule has it. */
export function token(line) {
  const escaped = (c) => `~${c.charCodeAt(0).toString(16).padStart(2, "0")}`;
  return `c1-${line.replaceAll(/[._~]/g, escaped).replaceAll(" ", "_")}`;
}

const run = (...lines) => `#lesson=lost-update&mode=schedule&lang=en&schedule=${encodeURIComponent(lines.map(token).join("."))}`;

/** Runs that would keep the page from answering for 15 s and more. */
export const LONG = {
  "searches of 12 MB": run("SETRANGE big 12000000 x", ...Array(500).fill("BITPOS big 1")),
  "long scripts": run(...Array(300).fill("EVAL 'for i=1,1000000 do end' 0")),
};
