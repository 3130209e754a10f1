"""The time axis and the hands on it: gaps, ticks, zones, zoom, the threshold, what is saved."""

import re

import numpy as np
import pytest
from click.testing import CliRunner

import adjudge as aj
from adjudge.cli import main
from browser.waiting import eventually, expect, until_drawn

LEFT, RIGHT = 118, 52  # of the axis, on a wide screen

TEXTS = """() => {
  const said = [];
  const own = CanvasRenderingContext2D.prototype.fillText;
  CanvasRenderingContext2D.prototype.fillText = function (text, x, y) {
    const width = this.measureText(text).width;
    const start = this.textAlign === "center" ? x - width / 2
      : this.textAlign === "right" ? x - width : x;
    if (this.canvas.id !== "track") said.push([text, start, start + width, y]);
    return own.call(this, text, x, y);
  };
  dispatchEvent(new Event("beforeprint"));
  document.getElementById("fold").click();
  document.getElementById("fold").click();
  CanvasRenderingContext2D.prototype.fillText = own;
  return said.slice(said.length / 2);
}"""


def minutes(count, first="2026-03-01T00:00"):
    return np.datetime64(first) + np.arange(count) * np.timedelta64(10, "m")


@pytest.fixture
def holed(tmp_path):
    """Two days, thirty days without data, two days; an event on each side."""
    time = np.concatenate([minutes(288), minutes(288, "2026-04-02T00:00")])
    labels, scores = np.zeros(576, int), np.random.default_rng(5).random(576)
    labels[100:120] = labels[400:420] = 1
    scores[105:110] = 2
    return aj.report(labels, scores, at=1.5, time=time, path=tmp_path / "a.html", chance=False)


def pixels(page):
    """The colours along the lane of events, left to right."""
    return page.evaluate("""() => {
      const canvas = document.getElementById("time");
      const ratio = canvas.width / canvas.clientWidth;
      const copy = new OffscreenCanvas(canvas.width, 1);
      const pen = copy.getContext("2d");
      pen.drawImage(canvas, 0, -140 * ratio);
      const row = pen.getImageData(0, 0, canvas.width, 1).data;
      const found = [];
      for (let x = 0; x < canvas.width; x++) found.push([...row.slice(4 * x, 4 * x + 3)].join());
      return found;
    }""")


GREEN = "0,158,115"


def test_a_gap_is_as_wide_as_it_lasts_and_can_be_folded(opened, holed):
    page = opened(holed)
    until_drawn(page)
    span = page.evaluate("document.getElementById('time').clientWidth") - LEFT - RIGHT
    seconds = 34 * 86400
    place = pixels(page).index(GREEN)
    assert abs(place - (LEFT + span * 100 * 600 / seconds)) <= 2  # the found event, in true time
    expect(page.locator("#hole-key")).to_be_visible()
    page.click("#fold")
    until_drawn(page)
    folded = (576 + 7) * 600
    assert abs(pixels(page).index(GREEN) - (LEFT + span * 100 * 600 / folded)) <= 2
    assert "fold=1" in page.url
    expect(page.locator("#fold")).to_have_attribute("aria-pressed", "true")


@pytest.mark.parametrize("width", [360, 768, 1280, 1920])
def test_no_two_labels_overlap_and_ticks_are_calendar_dates(opened, holed, width):
    page = opened(holed, viewport={"width": width, "height": 900})
    until_drawn(page)
    texts = page.evaluate(TEXTS)
    dates = [one for one in texts if re.fullmatch(r"\d+ (Mar|Apr)", one[0])]
    assert len(dates) >= 2
    for text, start, stop, y in texts:
        for other, begin, end, row in texts:
            apart = end <= start + 0.5 or begin >= stop - 0.5 or abs(row - y) > 8
            assert apart or (text, start) == (other, begin), (text, other)


@pytest.mark.parametrize(
    ("zone", "said"),
    [(None, "as in the file, no zone given"), ("Z", "UTC"), ("Europe/Berlin", "Europe/Berlin")],
)
def test_the_zone_is_named(opened, tmp_path, zone, said):
    pd = pytest.importorskip("pandas")
    time = pd.Series(minutes(60))
    time = time if zone is None else time.dt.tz_localize("UTC" if zone == "Z" else zone)
    labels = [0] * 20 + [1] * 10 + [0] * 30
    path = aj.report(labels, labels, "f1_ba", time=time, path=tmp_path / "a.html", chance=False)
    page = opened(path)
    expect(page.locator("#zone")).to_have_text(f"times: {said}")
    page.select_option("#show-rows", "all")
    expect(page.locator("#receipt button.where")).to_have_text("2026-03-01 03:20 to 04:50")


def test_series_are_chosen_by_name_and_stand_in_the_address(opened, tmp_path):
    labels = np.tile([0] * 40 + [1] * 10 + [0] * 50, 3)
    scores = np.random.default_rng(0).random(300) + labels
    names = np.repeat(["north pump", "south pump", "west pump"], 100)
    path = aj.report(labels, scores, at=1.0, series=names, path=tmp_path / "a.html", chance=False)
    page = opened(path)
    page.fill("#series-search", "south")
    page.press("#series-search", "Enter")
    expect(page.locator("#series-open")).to_have_text("south pump")
    again = opened(path, after=page.url[page.url.index("#") :])
    expect(again.locator("#series-open")).to_have_text("south pump")


def drag(page, start, stop):
    page.mouse.move(*start)
    page.mouse.down()
    page.mouse.move((start[0] + stop[0]) / 2, (start[1] + stop[1]) / 2, steps=3)
    page.mouse.move(*stop, steps=3)
    page.mouse.up()


def test_the_threshold_line_is_dragged_and_a_stretch_is_zoomed(opened, holed):
    page = opened(holed)
    until_drawn(page)
    box = page.locator("#time").bounding_box()
    y = box["y"] + 6 + 124 - 2 - 0.75 * 120  # 1.5 of 0 to 2, in a box of 124 pixels
    drag(page, (box["x"] + 500, y), (box["x"] + 500, y + 60))
    eventually(page, lambda: 0.4 < float(page.locator("#typed").input_value()) < 0.6)
    expect(page.locator("#fine")).to_contain_text("moved by hand")
    assert "t=" in page.url
    drag(page, (box["x"] + 300, box["y"] + 60), (box["x"] + 420, box["y"] + 60))
    eventually(page, lambda: "from=" in page.url)
    page.locator("#time").dblclick(position={"x": 600, "y": 100})
    eventually(page, lambda: "from=" not in page.url)
    page.focus("#time")
    page.keyboard.press("+")
    eventually(page, lambda: "from=" in page.url)
    page.keyboard.press("Escape")
    eventually(page, lambda: "from=" not in page.url)


def test_a_touch_moves_the_line_too(opened, holed):
    page = opened(holed, has_touch=True)
    until_drawn(page)
    box = page.locator("#time").bounding_box()
    page.touchscreen.tap(box["x"] + LEFT + 30, box["y"] + 140)
    assert "t=1.5" in page.url
    send = """([x, y, to]) => {
      const canvas = document.getElementById("time");
      const at = (type, height) => canvas.dispatchEvent(new PointerEvent(type, {
        clientX: x, clientY: height, pointerId: 1, pointerType: "touch", bubbles: true }));
      canvas.setPointerCapture = () => {};
      at("pointerdown", y);
      at("pointermove", to);
      at("pointerup", to);
    }"""
    y = box["y"] + 6 + 124 - 2 - 0.75 * 120
    page.evaluate(send, [box["x"] + 500, y, y + 60])
    eventually(page, lambda: 0.4 < float(page.locator("#typed").input_value()) < 0.6)


def test_a_pointer_over_the_plot_is_told_what_lies_there(opened, holed):
    page = opened(holed)
    box = page.locator("#time").bounding_box()
    page.mouse.move(box["x"] + LEFT + 300, box["y"] + 60)
    expect(page.locator("#tip")).to_have_text("no data here")
    span = box["width"] - LEFT - RIGHT
    page.mouse.move(box["x"] + LEFT + span * 107 * 600 / (34 * 86400), box["y"] + 60)
    expect(page.locator("#tip")).to_contain_text("score 2, flagged")


def test_no_shape_is_invented_when_a_million_points_are_too_many(opened, tmp_path):
    """White noise of 100,000 points fills its band, at any zoom, and is no triangle wave."""
    rng = np.random.default_rng(1)
    labels = np.zeros(100_000, int)
    labels[500:600] = 1
    path = aj.report(labels, rng.random(100_000), at=2.0, path=tmp_path / "a.html", chance=False)
    for after in ("", "#from=20000&to=22000"):
        page = opened(path, after=after)
        until_drawn(page)
        ink = page.evaluate("""() => {
          const canvas = document.getElementById("time");
          const pen = canvas.getContext("2d");
          const { data } = pen.getImageData(300, 40, 600, 60);
          let dark = 0;
          for (let i = 0; i < data.length; i += 4) dark += data[i] < 160;
          return dark / (data.length / 4);
        }""")
        assert ink > (0.9 if not after else 0.3)


def test_curves_are_exact_steps_and_a_click_moves_the_threshold(opened, tmp_path):
    labels = np.repeat([0, 1, 0, 1, 0], [30, 8, 40, 6, 20])
    scores = np.random.default_rng(2).normal(size=104) + labels
    given = {kind: f(scores) for kind, f in (("plain", np.array), ("exp", np.exp))}
    paths = {}
    for kind, values in given.items():
        path = aj.report(labels, values, path=tmp_path / f"{kind}.html", chance=False)
        page = opened(path)
        paths[kind] = [one.get_attribute("d") for one in page.locator("#curve-trade .curve").all()]
        for line in paths[kind]:
            assert re.fullmatch(r"M[\d. ]+([HV][\d.]+)*", line)  # across and up, never aslant
    assert paths["plain"] == paths["exp"]  # the picture is of the order of the scores
    page.locator("#curve-trade svg").click(position={"x": 60, "y": 40})
    eventually(page, lambda: page.locator("#fine").inner_text().startswith("Threshold"))
    at = float(re.search(r"t=([^&]+)", page.url)[1])
    assert np.any(np.isclose(given["exp"], at, rtol=1e-12))


def test_bars_lead_to_their_rows_and_cells_to_their_events(opened, tmp_path):
    labels = np.repeat([0, 1, 0, 1, 0], [100, 18, 140, 16, 120])
    rng = np.random.default_rng(3)
    scores = {name: rng.normal(size=labels.size) + 3 * labels for name in ("mine", "theirs")}
    scores["theirs"][258:274] = 0  # it misses the second event
    page = opened(aj.report(labels, scores, at=2.0, path=tmp_path / "a.html", chance=False))
    page.locator("#why .islands").click()
    expect(page.locator("#show-rows")).to_have_value("alarm")
    page.locator("#why .credit").press("Enter")
    expect(page.locator("#show-rows")).to_have_value("event")
    expect(page.locator("#accounts option:checked")).to_have_text("PA")
    expect(page.locator("#matrix thead th.event").first).to_have_text("2")  # they disagree on it
    page.get_by_role("button", name=re.compile("theirs, event 2.*missed")).click()
    expect(page.locator("#detector")).to_have_value("1")
    assert "row=e1" in page.url
    assert "d=theirs" in page.url


def test_the_machine_slides_and_stops(opened, tmp_path):
    labels = np.repeat([0, 1, 0, 1, 0], [100, 18, 140, 16, 120])
    scores = np.random.default_rng(4).normal(size=labels.size) + 3 * labels
    path = aj.report(labels, scores, at=2.0, path=tmp_path / "a.html", shifts=99)
    page = opened(path)
    picture = "document.getElementById('machine').toDataURL()"
    whole = page.evaluate(picture)
    page.click("#slide")
    expect(page.locator("#slide")).to_have_text("■ stop")
    eventually(page, lambda: page.evaluate(picture) != whole)
    page.click("#slide")
    assert page.evaluate(picture) == whole
    calm = opened(path, reduced_motion="reduce")
    whole = calm.evaluate(picture)
    calm.click("#slide")
    assert calm.evaluate(picture) == whole


def test_what_is_saved_names_the_threshold_and_computes_nothing(opened, holed, tmp_path):
    page = opened(holed)
    page.fill("#typed", "0.95")
    page.press("#typed", "Enter")
    saved = {}
    for kind in ("png", "svg", "csv"):
        with page.expect_download() as waiting:
            page.click(f"#save-{kind}")
        saved[kind] = tmp_path / f"saved.{kind}"
        waiting.value.save_as(saved[kind])
    assert saved["png"].read_bytes().startswith(b"\x89PNG")
    svg = saved["svg"].read_text()
    assert svg.startswith("<svg")
    assert "what BA counts" in svg
    head, *rows = saved["csv"].read_text().splitlines()
    assert head.startswith("what,when,start,stop")
    assert len(rows) >= 2
    assert not any(re.match(r"[=+@]", cell) for row in rows for cell in row.split(","))


def test_another_detector_is_drawn_behind(opened, tmp_path):
    rng = np.random.default_rng(6)
    labels = np.repeat([0, 1, 0], [100, 20, 100])
    scores = {name: rng.random(220) + labels for name in ("old", "new")}
    path = aj.report(labels, scores, at=1.0, path=tmp_path / "a.html", chance=False)
    page = opened(path)
    picture = "document.getElementById('time').toDataURL()"
    alone, chosen = page.evaluate(picture), page.locator("#detector").input_value()
    page.select_option("#overlay", "1" if chosen == "0" else "0")
    eventually(page, lambda: page.evaluate(picture) != alone)
    assert "over=" in page.url
    page.select_option("#overlay", "")
    eventually(page, lambda: page.evaluate(picture) == alone)


def test_a_page_for_a_pull_request_says_what_changed(opened, tmp_path):
    rng = np.random.default_rng(6)
    labels = np.tile(np.repeat([0, 1, 0], [60, 10, 60]), 4)
    rows = {name: rng.normal(size=520) + k * labels for name, k in (("old", 2), ("new", 5))}
    for name, scores in rows.items():
        text = "\n".join(
            f"{a},{b!r}" for a, b in zip(labels.tolist(), scores.tolist(), strict=True)
        )
        (tmp_path / f"{name}.csv").write_text(f"label,score\n{text}\n")
    files = [str(tmp_path / f"{name}.csv") for name in rows]
    out = str(tmp_path / "change.html")
    done = CliRunner().invoke(main, ["report", "--compare", *files, "--at", "3", "--out", out])
    assert done.exit_code == 0, done.output
    page = opened(out)
    found = aj.compare(labels, rows["new"], rows["old"], "f1_ba", at=3.0, names=("new", "old"))
    expect(page.locator(".compared")).to_contain_text(str(found).splitlines()[1])
    expect(page.locator("#detector")).to_have_value("1")
    expect(page.locator("#overlay")).to_have_value("0")
    expect(page.locator("#verdict")).to_contain_text("new finds")


def test_print_is_light_and_whole(opened, holed):
    page = opened(holed, color_scheme="dark", viewport={"width": 1280, "height": 800})
    page.emulate_media(media="print")
    until_drawn(page)
    expect(page.locator("body")).to_have_css("background-color", "rgb(255, 255, 255)")
    expect(page.locator("#bar")).to_be_hidden()
    expect(page.locator("#time")).to_be_visible()
    page.set_viewport_size({"width": 700, "height": 1000})
    assert page.evaluate("document.documentElement.scrollWidth") <= 700
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    expect(page.locator("main > details:not([open])")).to_have_count(0)  # on paper nothing opens
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    expect(page.locator("main > details[open]")).to_have_count(0)


def test_a_matrix_of_twenty_detectors_fits_on_paper(opened, tmp_path):
    rng = np.random.default_rng(8)
    labels = np.tile(np.repeat([0, 1, 0], [60, 10, 60]), 9)
    scores = {f"detector_{d:02}": rng.normal(size=labels.size) + 3 * labels for d in range(20)}
    time = minutes(labels.size)
    path = aj.report(labels, scores, at=2.0, time=time, path=tmp_path / "a.html", chance=False)
    page = opened(path, viewport={"width": 700, "height": 1000})
    page.emulate_media(media="print")
    until_drawn(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= 700
