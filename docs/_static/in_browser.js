/* The page's own side: takes a file, hands it to the worker that runs Python, shows what comes back. */
"use strict";
(() => {
  const at = (name) => document.getElementById(`judge-${name}`);
  const parts = JSON.parse(at("parts").textContent);
  const base = new URL("parts/", document.baseURI).href;
  let worker = null, file = null, report = null;

  const say = (text) => { at("state").textContent = text; };

  async function started() {
    if (!["http:", "https:"].includes(location.protocol)) {
      throw new Error("A browser lets no page opened from a folder load Python. Serve the folder, for example with python -m http.server, and open it by its address.");
    }
    const source = await fetch(new URL("_static/in_browser_worker.js", document.baseURI)).catch(() => null);
    if (!source?.ok) { throw new Error("You are offline, or the site is down: the parts of Python could not be loaded. Nothing was judged."); }
    /* from a blob it is bound by the policy of this page: it can connect to this site and to no other */
    const url = URL.createObjectURL(new Blob([await source.text()], { type: "text/javascript" }));
    return new Worker(url);
  }

  async function judge() {
    at("run").disabled = true;
    for (const name of ["table", "links", "report"]) { at(name).hidden = true; }
    try {
      const content = new Uint8Array(await file.content());
      worker ??= await started();
      const answer = await new Promise((resolve) => {
        worker.onmessage = ({ data }) => (data.state ? say(data.state) : resolve(data));
        worker.onerror = (event) => resolve({ problem: event.message });
        worker.postMessage({ base, parts, name: file.name, content, options: at("options").value });
      });
      show(answer);
    } catch (problem) {
      show({ problem: problem.message });
    }
    at("run").disabled = false;
  }

  function show({ problem, printed, html, seconds }) {
    if (problem) { worker?.terminate(); worker = null; }
    say(problem ?? `Done in ${seconds.toFixed(1)} s on this machine; ${file.name} has not left it.`);
    if (printed) { at("table").textContent = printed; at("table").hidden = false; }
    if (!html) { return; }
    if (report) { URL.revokeObjectURL(report); }
    report = URL.createObjectURL(new Blob([html], { type: "text/html" }));
    at("report").src = at("download").href = report;
    at("report").hidden = at("links").hidden = false;
  }

  function take(given) {
    if (!given) { return; }
    file = { name: given.name, content: () => given.arrayBuffer() };
    judge();
  }

  at("file").addEventListener("change", () => take(at("file").files[0]));
  at("run").addEventListener("click", judge);
  at("pump").addEventListener("click", () => {
    const content = async () => {
      const answer = await fetch(new URL("parts/pump.csv", document.baseURI)).catch(() => null);
      if (!answer?.ok) { throw new Error("You are offline, or the site is down: the example could not be loaded."); }
      return answer.arrayBuffer();
    };
    file = { name: "pump.csv", content };
    judge();
  });
  const drop = at("drop");
  for (const kind of ["dragover", "drop"]) {
    drop.addEventListener(kind, (event) => event.preventDefault());
  }
  drop.addEventListener("drop", (event) => take(event.dataTransfer.files[0]));
})();
