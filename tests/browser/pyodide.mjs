/* node pyodide.mjs RELEASE ARCHIVE PROGRAM INPUTS: runs a Python program under Pyodide with adjudge. */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";

const [release, archive, program, inputs] = process.argv.slice(2);
const { loadPyodide } = createRequire(import.meta.url)(join(release, "pyodide.js"));
const python = await loadPyodide({ indexURL: `${release}/` });
const quiet = { messageCallback: () => {}, errorCallback: (text) => { throw new Error(text); } };
await python.loadPackage(["numpy", "scipy"], quiet);
python.unpackArchive(new Uint8Array(readFileSync(archive)), "zip", { extractDir: "/lib/adjudge" });
for (const [name, path] of [["program.py", program], ["inputs.json", inputs]]) {
  python.FS.writeFile(name, new Uint8Array(readFileSync(path)));
}
try {
  python.runPython(`
import runpy, sys
sys.path.append("/lib/adjudge")
sys.argv = ["program.py", "inputs.json"]
runpy.run_path("program.py", run_name="__main__")
`);
} catch (problem) { /* node itself would print a line of a megabyte before it */
  console.error(problem.message);
  process.exitCode = 1;
}
