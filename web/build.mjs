// Build the pages' scripts and style into the Python package: node build.mjs [folder]
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
const out = process.argv[2] ?? join(here, "../src/adjudge/reporting/page/built");
const look = join(here, "../src/adjudge/tables/look.json"); // colours, names and words, declared once
const pages = ["report", "playground", "ranking"];

/** The colours of the look as custom properties: `colours.css` is made of them. */
const colours = {
  name: "colours",
  setup(own) {
    own.onLoad({ filter: /colours\.css$/ }, ({ path }) => {
      const lines = Object.entries(JSON.parse(readFileSync(look)).colours).map(([name, [light, dark]]) => `--${name}:light-dark(${light},${dark});`);
      return { contents: readFileSync(path, "utf8").replace("--made-of: look;", lines.join("")), loader: "css" };
    });
  },
};

// The digest of all sources stands in what was built from them, so a stale bundle is found without npm.
const digest = createHash("sha256");
const names = readdirSync(join(here, "src"), { recursive: true }).map((name) => name.replaceAll("\\", "/"));
for (const name of names.filter((name) => /\.(ts|css)$/.test(name)).sort()) {
  digest.update(`${name}\n`).update(readFileSync(join(here, "src", name)));
}
digest.update("look.json\n").update(readFileSync(look));
const banner = `/* adjudge page, built by web/build.mjs from sources ${digest.digest("hex")} */`;

mkdirSync(out, { recursive: true });
const common = { bundle: true, minify: true, absWorkingDir: here, banner: { js: banner, css: banner }, logLevel: "warning", plugins: [colours] };
for (const page of pages) {
  await build({ ...common, entryPoints: [`src/${page}/main.ts`], outfile: join(out, `${page}.js`), format: "iife", target: "es2022", charset: "utf8" });
}
for (const page of pages) {
  await build({ ...common, entryPoints: [`src/style/${page}_page.css`], outfile: join(out, `${page}.css`) });
}
writeFileSync(join(out, "README.txt"), "Built from web/ by `npm ci && npm run build`; not edited by hand.\n");
