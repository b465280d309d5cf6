// Loads embed/embed.js of the page that is served at `base`: script and page are of one version.

const loading = new Map();

/** Defines <redis-lesson>; a second call with the same base changes nothing. */
export function load(base) {
  const src = new URL("embed/embed.js", base).href;
  if (!loading.has(src)) {
    loading.set(src, new Promise((resolve, reject) => {
      const script = document.createElement("script");
      script.src = src;
      script.addEventListener("load", () => resolve());
      script.addEventListener("error", () => {
        loading.delete(src);
        reject(new Error(`${src} was not loaded`));
      });
      document.head.append(script);
    }));
  }
  return loading.get(src);
}
