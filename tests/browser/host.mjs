// A course site for the tests of embeds: a second origin, on another port than the page's, with what
// a test gives it.

import { createServer, request } from "node:http";
import { open, serve } from "./harness.mjs";

const listen = (server) => new Promise((resolve) => {
  server.listen(0, "127.0.0.1", () => resolve(`http://127.0.0.1:${server.address().port}/`));
});

/**
 * Serves `pages` (path → HTML, or { type, body }) until the test ends; an icon is nobody's concern.
 * A function is called with (request, response, body).
 */
export async function site(t, pages) {
  const server = createServer((asked, response) => {
    const path = new URL(asked.url, "http://x").pathname.slice(1);
    const page = pages[path];
    if (typeof page === "function") {
      let body = "";
      asked.on("data", (part) => (body += part));
      asked.on("end", () => page(asked, response, body));
    } else if (page === undefined) {
      response.writeHead(path === "favicon.ico" ? 204 : 404).end();
    } else {
      const { type = "text/html; charset=utf-8", body = page, headers } = page;
      response.writeHead(200, { "content-type": type, ...headers }).end(body);
    }
  });
  const url = await listen(server);
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return url;
}

/** The page's own server behind one that counts what is asked of it: { url, asked: [path…] }. */
export async function counted(t) {
  const home = new URL(await serve());
  const asked = [];
  const server = createServer((from, to) => {
    asked.push(from.url.split("?")[0]);
    const { hostname, port } = home;
    // A connection of its own: one that was kept may be closed by the server at the moment it is taken.
    request({ agent: false, hostname, port, path: from.url, method: from.method, headers: from.headers }, (answer) => {
      to.writeHead(answer.statusCode, answer.headers);
      answer.pipe(to);
    }).on("error", () => to.destroy()).end();
  });
  const url = await listen(server);
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url, asked };
}

const HTML = `<!doctype html><meta charset="utf-8"><title>course</title>
<style>body { margin: 0; font: 16px sans-serif }</style>`;

/** A page that keeps what its frames say, and says nothing unless a test calls `say`. */
export const LISTENER = `<script>
  window.heard = [];
  const waiting = new Map();
  let last = 0;
  addEventListener("message", ({ data, source, origin }) => {
    if (data?.ns !== "interleave" && data?.subject === undefined && data?.context === undefined) return;
    heard.push({ ...data, origin });
    waiting.get(data.id)?.(data);
  });
  window.say = (type, fields, frame = document.querySelector("iframe")) => new Promise((resolve) => {
    const id = ++last;
    waiting.set(id, resolve);
    frame.contentWindow.postMessage({ ns: "interleave", v: 1, type, id, ...fields }, "*");
  });
</script>`;

export const frameHtml = (src, rest = 'sandbox="allow-scripts allow-same-origin"') =>
  `<iframe src="${src.replaceAll("&", "&amp;")}" title="lesson" width="100%" height="500" ${rest}></iframe>`;

/** Opens a course page with `body` in it; `pages` are further files of its site. */
export async function course(t, body, { pages = {}, ...options } = {}) {
  const url = await site(t, { "course.html": `${HTML}<body>${LISTENER}<h1>Course</h1>${body}</body>`, ...pages });
  return open(t, `${url}course.html`, options);
}

/** The frame in which the page itself runs, behind the door; `nth` of several. */
export function inside(page, nth = 0) {
  return page.frameLocator("iframe").nth(nth);
}

/** Waits until the course page has heard a message of this type, and gives the last one. */
export async function heard(page, type, test = "() => true") {
  const found = await page.waitForFunction(
    ([type, test]) => {
      const fits = new Function(`return ${test}`)();
      return window.heard.findLast((message) => message.type === type && fits(message));
    },
    [type, test],
  );
  return found.jsonValue();
}

export const said = (page, type) =>
  page.evaluate((type) => window.heard.filter((message) => message.type === type), type);
