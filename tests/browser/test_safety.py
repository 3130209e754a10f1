"""Names are hostile: none of forty runs, loads, breaks out or pushes the layout apart."""

import numpy as np
import pytest

import adjudge as aj
from browser.waiting import eventually, until_drawn

PAYLOADS = [
    "<script>alert(1)</script>",
    "</script><script>alert(1)</script>",
    "</SCRIPT ><img src=x onerror=alert(1)>",
    "<!--<script>",
    "--><script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "<svg onload=alert(1)>",
    "<svg><script>alert(1)</script></svg>",
    "<iframe src=javascript:alert(1)>",
    "<iframe srcdoc='<script>alert(1)</script>'>",
    "<object data=http://example.com/x>",
    "<embed src=http://example.com/x>",
    "<link rel=stylesheet href=http://example.com/x.css>",
    "<style>*{display:none}</style>",
    "</style><style>body{background:url(http://example.com)}</style>",
    "<meta http-equiv=refresh content='0;url=http://example.com'>",
    "<base href=http://example.com/>",
    "<form action=http://example.com><button>",
    "<a href=javascript:alert(1)>x</a>",
    "javascript:alert(1)",
    "data:text/html,<script>alert(1)</script>",
    '" onmouseover="alert(1)',
    "' onfocus='alert(1)' autofocus='",
    '"><img src=x onerror=alert(1)>',
    "`onerror=alert(1)`",
    'x" style="position:fixed;inset:0;background:red',
    "expression(alert(1))",
    "url(javascript:alert(1))",
    "}*{display:none}",
    "{{ 7 * 7 }}",
    "{% include '/etc/passwd' %}",
    "${alert(1)}",
    "{{constructor.constructor('alert(1)')()}}",
    "\u202emoc.live\u202c",
    "\u2066\u2067\u2068rtl\u2069",
    "\u200f\u061cmarks\u200e",
    "a\u0300" * 40,
    "w" * 5000,
    "]]>\x00\x1b[31m\r\n\ttext",
    "\\u003cscript\\u003ealert(1)\\u003c/script\\u003e\u2028\u2029",
]

INTRUDERS = """() => {
  const strange = "iframe, object, embed, link, base, form, img, style, meta[http-equiv=refresh]";
  const bad = ({ name, value }) => name.startsWith("on")
    || (name === "style" && /fixed|red/.test(value))
    || (/^(href|src|action)$/.test(name) && /script:|http/.test(value));
  return {
    scripts: document.querySelectorAll("script").length,
    strange: [...document.querySelectorAll(strange)].map((one) => one.tagName),
    handlers: [...document.querySelectorAll("*")].flatMap((one) => [...one.attributes].filter(bad))
      .map(({ name }) => name),
    wide: document.documentElement.scrollWidth - document.documentElement.clientWidth,
    text: document.body.textContent,
  };
}"""


def check(page):
    until_drawn(page)
    found = page.evaluate(INTRUDERS)
    assert found["scripts"] == 2  # the data and our own
    assert found["strange"] == ["STYLE"]
    assert found["handlers"] == []
    assert found["wide"] <= 0
    assert "\u202e" not in found["text"]
    return found


@pytest.mark.parametrize("width", [360, 1280])
def test_hostile_names_are_only_text(opened, tmp_path, width):
    assert len(PAYLOADS) == 40
    rng = np.random.default_rng(0)
    labels = np.repeat([0, 1, 0, 0], 20)
    detectors = {name: rng.random(80) for name in PAYLOADS[:20]}
    series = np.repeat(np.array(PAYLOADS[20:], object), 4)
    series = np.append(series[:76], [series[-1]] * 4)
    labels[::4] = 0
    judged = aj.evaluate(labels, detectors, "f1_ba", at=0.5, series=series, chance=False)
    for number, title in enumerate(PAYLOADS):
        if number % 13 == 0:
            path = judged.to_html(tmp_path / "page.html", title=title)
            page = opened(path, viewport={"width": width, "height": 800})
            found = check(page)
            for name in (PAYLOADS[0], PAYLOADS[15], PAYLOADS[25]):
                assert name in found["text"]


def test_hostile_signals_services_and_ids_are_only_text(opened, tmp_path):
    """Names of sensors, and those that on-call programs give to incidents, alerts and services."""
    rng = np.random.default_rng(0)
    labels = np.repeat([0, 1, 0, 0], 20)
    signals = {name: rng.random(80) for name in PAYLOADS[:6]}
    path = tmp_path / "page.html"
    aj.report(labels, rng.random(80), at=0.5, signal=signals, path=path, title=PAYLOADS[1],
              chance=False)  # fmt: skip
    assert PAYLOADS[1] in check(opened(path))["text"]
    start = np.arange(40) * 100
    who = {"id": PAYLOADS, "service": [PAYLOADS[k % 4] for k in range(40)]}
    truth = aj.Incidents(start, start + 20, **who)
    pages = {name: aj.Alerts(start[::2] + 5, **{key: column[::2] for key, column in who.items()})
             for name in (PAYLOADS[1], PAYLOADS[5])}  # fmt: skip
    judged = aj.evaluate(truth, pages, span=(0, 4000), chance=False)
    page = opened(judged.to_html(path, title=PAYLOADS[1]))
    page.select_option("#show-rows", "all")
    found = check(page)
    assert PAYLOADS[2] in found["text"]
    with page.expect_download() as waiting:
        page.click("#save-svg")
    waiting.value.save_as(tmp_path / "saved.svg")
    assert "<script" not in (tmp_path / "saved.svg").read_text()


def test_a_script_that_is_smuggled_in_does_not_run(opened_broken, tmp_path):
    """Even if a name were not escaped, the policy lets nothing run."""
    path = aj.evaluate([0, 1], [0, 1], "f1", chance=False).to_html(tmp_path / "page.html")
    html = path.read_text().replace("<main>", "<main><script>window.ran = 1</script>")
    path.write_text(html.replace("<h1>", "<h1><img src=x onerror='window.ran = 1'>"))
    page = opened_broken(path)
    eventually(page, lambda: sum("Content Security" in one for one in opened_broken.problems) >= 2)
    assert page.evaluate("window.ran") is None
    with pytest.raises(AssertionError):
        check(page)
