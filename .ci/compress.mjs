// Compresses the page's files once, as small as can be, so that no server does it for each visit and none does
// it badly: FILE.br (Brotli 11) and FILE.gz (gzip -9) beside each file that gets smaller.
//
//   node .ci/compress.mjs FOLDER
//
// It runs when the folder is complete: the list of the offline copy has the files themselves.

import { readdirSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";

const TEXTS = /\.(wasm|js|css|html|json|svg|webmanifest|md|ts)$/;
/** Below this a header costs as much. */
const BYTES_MIN = 512;

const KINDS = [
  ["br", (bytes) => promisify(brotliCompress)(bytes, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: 11,
      [constants.BROTLI_PARAM_LGWIN]: 24,
      [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
    },
  })],
  ["gz", (bytes) => promisify(gzip)(bytes, { level: 9 })],
];

const [folder] = process.argv.slice(2);
const files = readdirSync(folder, { recursive: true }).filter((name) => TEXTS.test(name)).map((name) => join(folder, name));
await Promise.all(files.map(async (file) => {
  const bytes = await readFile(file);
  if (bytes.length < BYTES_MIN) return;
  for (const [end, compress] of KINDS) {
    const small = await compress(bytes);
    if (small.length < bytes.length) await writeFile(`${file}.${end}`, small);
  }
}));
