/* Python and the library, in a worker. Each part is used only if it has the hash that the page names. */
"use strict";
const JUDGE = `
import contextlib, io, os, shlex, time, traceback
os.environ["COLUMNS"] = "100"
from adjudge.cli import main

def called(words):
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(printed):
        try:
            main(words, prog_name="adjudge")
        except SystemExit as end:
            code = end.code
        except BaseException:
            code = 1
            traceback.print_exc(limit=-3)
    return code, printed.getvalue()

def judge(name, options):
    began = time.time()
    words = shlex.split(options)
    code, printed = called(["evaluate", name, *words])
    text = f"$ {shlex.join(['adjudge', 'evaluate', name, *words])}\\n{printed}"
    page = None
    if not code:
        out = "report.html"
        code, printed = called(["report", name, *words, "--out", out])
        if code:
            text += f"\\n$ {shlex.join(['adjudge', 'report', name, *words])}\\n{printed}"
        else:
            with open(out, encoding="utf-8") as made:
                page = made.read()
            os.remove(out)
    return text, page, time.time() - began
`;
const load = self.fetch.bind(self);
let judging = null;

async function part({ base, parts }, name) {
  if (!(name in parts)) { throw new Error(`${name} is not a part of this page, and was not loaded.`); }
  const answer = await load(base + name, { integrity: parts[name] }).catch(() => null);
  if (answer?.ok) { return answer; }
  const other = await load(base + name).catch(() => null);
  throw new Error(other?.ok
    ? `${name} is not the file that this page was made for (another hash), so it is not used. Nothing was judged.`
    : `You are offline, or this site has no copy of ${name}: Python could not be loaded. Nothing was judged.`);
}

async function script(given, name) {
  const url = URL.createObjectURL(new Blob([await (await part(given, name)).text()], { type: "text/javascript" }));
  importScripts(url);
  URL.revokeObjectURL(url);
}

async function started(given) {
  postMessage({ state: "Loading Python ..." });
  self.fetch = (asked) => part(given, new URL(asked.url ?? asked, given.base).pathname.split("/").pop());
  await script(given, "pyodide.js");
  await script(given, "pyodide.asm.js");
  const python = await loadPyodide({ indexURL: given.base });
  postMessage({ state: "Loading NumPy and SciPy ..." });
  await python.loadPackage(["numpy", "scipy"], { messageCallback: () => {}, errorCallback: (text) => { throw new Error(text); } });
  const library = await (await part(given, "adjudge.zip")).arrayBuffer();
  python.unpackArchive(library, "zip", { extractDir: "/lib/adjudge" });
  python.runPython(`import sys; sys.path.append("/lib/adjudge")`);
  self.fetch = () => Promise.reject(new Error("all is loaded: nothing more is asked for"));
  python.runPython(JUDGE);
  return python;
}

self.onmessage = async ({ data }) => {
  try {
    judging ??= started(data);
    const python = await judging;
    postMessage({ state: `Judging ${data.name} ...` });
    python.FS.writeFile(data.name, data.content);
    const found = python.globals.get("judge")(data.name, data.options);
    const [printed, html, seconds] = found.toJs();
    found.destroy();
    python.FS.unlink(data.name);
    postMessage({ printed, html, seconds });
  } catch (problem) {
    judging = null;
    postMessage({ problem: problem.message });
  }
};
