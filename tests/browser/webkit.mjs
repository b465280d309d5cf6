// WebKitGTK, the engine of Safari as Linux has it, driven by its WebDriver: an HTTP server that opens
// WebKit's MiniBrowser. That needs a display, so it gets one of its own in memory (Xvfb).

import { spawn } from "node:child_process";
import { accessSync, constants, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";

const PROGRAMS = ["WebKitWebDriver", "Xvfb"];
const SCREEN = "1600x1200x24";

/** What keeps WebKit from being started, in words; nothing if all is there. */
export function missingOfWebKit() {
  const missing = PROGRAMS.filter((name) => !isInPath(name));
  if (missing.length > 0) return `there is no ${missing.join(" and no ")} here (.ci/setup webkit gets it)`;
}

function isInPath(name) {
  return (process.env.PATH ?? "").split(delimiter).filter(Boolean).some((folder) => {
    try {
      accessSync(join(folder, name), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

/** Starts WebKit; `post` sends it a command of WebDriver. `until` waits. */
export async function startWebKit(until) {
  const home = mkdtempSync(join(tmpdir(), "webkit-"));
  const started = [];
  const stop = async () => {
    for (const { child, ended } of started.toReversed()) {
      child.kill();
      await ended;
    }
    // WebKit's own processes end a moment after the driver, and write until then.
    await until("WebKit has left its folder", () => removed(home));
  };
  /** Starts a program that ends with this one at the latest. */
  const start = (name, args, options) => {
    const child = spawn(name, args, options);
    const kill = () => child.kill();
    process.once("exit", kill);
    const ended = new Promise((done) => child.once("exit", done).once("error", done));
    ended.then(() => process.off("exit", kill));
    started.push({ child, ended });
    return child;
  };
  try {
    const display = await startDisplay(start);
    const port = await freePort();
    start("WebKitWebDriver", [`--port=${port}`], {
      stdio: "ignore",
      env: { ...process.env, ...settings(home), DISPLAY: display, GDK_BACKEND: "x11" },
    });
    const driver = `http://127.0.0.1:${port}`;
    await until("the WebDriver of WebKit", () => fetch(`${driver}/status`).then(() => true, () => false));
    const { sessionId } = await send("POST", `${driver}/session`, { capabilities: {} });
    const session = `${driver}/session/${sessionId}`;
    return {
      post: (command, given) => send("POST", `${session}/${command}`, given),
      stop: async () => {
        // The window closes with the session.
        await send("DELETE", session).catch(() => {});
        await stop();
      },
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** A display that no other program has, by its name. */
async function startDisplay(start) {
  const args = ["-displayfd", "3", "-screen", "0", SCREEN, "-nolisten", "tcp"];
  const server = start("Xvfb", args, { stdio: ["ignore", "ignore", "ignore", "pipe"] });
  let number = "";
  for await (const bytes of server.stdio[3]) {
    number += bytes;
    if (number.endsWith("\n")) return `:${number.trim()}`;
  }
  throw new Error("Xvfb ended before it had a display");
}

/** A home of its own, in which things move, whatever this machine's says. */
function settings(home) {
  mkdirSync(join(home, "gtk-3.0"));
  writeFileSync(join(home, "gtk-3.0/settings.ini"), "[Settings]\ngtk-enable-animations=1\n");
  return { XDG_CONFIG_HOME: home, XDG_CACHE_HOME: home, XDG_DATA_HOME: home };
}

function removed(folder) {
  try {
    rmSync(folder, { recursive: true, force: true });
    return true;
  } catch {
    return false;
  }
}

/** A port that nothing listens on; the driver cannot choose one itself. */
function freePort() {
  return new Promise((done, fail) => {
    const server = createServer().once("error", fail);
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => done(port));
    });
  });
}

async function send(method, url, given) {
  const answer = await fetch(url, { method, body: given && JSON.stringify(given) });
  const { value } = await answer.json();
  if (!answer.ok) throw new Error(`${value.error}: ${value.message}`);
  return value;
}
