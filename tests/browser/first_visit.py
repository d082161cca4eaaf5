"""The first visit of a phone: bytes over the wire, by file, and the first contentful paint."""

from __future__ import annotations

from typing import Any, NamedTuple

from playwright.sync_api import Browser

SLOW_4G = {
    "offline": False,
    "latency": 150 * 3.75,
    "downloadThroughput": 1.6e6 / 8 * 0.9,
    "uploadThroughput": 750e3 / 8 * 0.9,
}
"""Chromium's preset: milliseconds, and bytes a second."""
SLOWER = 4
PAINT = """new Promise((done) => new PerformanceObserver((seen) => {
  for (const one of seen.getEntries()) if (one.name === "first-contentful-paint") done(one.startTime);
}).observe({ type: "paint", buffered: true }))"""
QUIET_MS = 300
"""Milliseconds to wait after the event stream answers, so that its first bytes are counted as well."""
BLOCKING = """performance.getEntriesByType("resource")
  .filter((one) => one.renderBlockingStatus === "blocking").map((one) => one.name)"""


class Seen(NamedTuple):
    """The measurements of a first visit.

    paint: milliseconds to the first contentful paint. bytes: of each response by its address, including headers.
    redirects: on the way to the page. blocking: resources that the first paint waited for.
    """

    paint: float
    bytes: dict[str, int]
    redirects: int
    blocking: list[str]


def visit(browser: Browser, address: str, *, slow: bool) -> Seen:
    """Open the address as a phone with an empty cache. slow: on a slow network, with a slow processor."""
    context = browser.new_context(viewport={"width": 360, "height": 640}, device_scale_factor=2, is_mobile=True)
    page = context.new_page()
    spoken = context.new_cdp_session(page)
    asked: dict[str, str] = {}
    heavy: dict[str, int] = {}

    def begun(event: dict[str, Any]) -> None:
        if "redirectResponse" in event:
            heavy[event["redirectResponse"]["url"]] = int(event["redirectResponse"]["encodedDataLength"])
        asked[event["requestId"]] = event["request"]["url"]

    def grown(event: dict[str, Any]) -> None:
        url = asked[event["requestId"]]
        heavy[url] = heavy.get(url, 0) + int(event["encodedDataLength"])

    def headed(event: dict[str, Any]) -> None:
        heavy[event["response"]["url"]] = int(event["response"]["encodedDataLength"])

    def ended(event: dict[str, Any]) -> None:
        heavy[asked[event["requestId"]]] = int(event["encodedDataLength"])

    spoken.on("Network.requestWillBeSent", begun)
    spoken.on("Network.responseReceived", headed)
    spoken.on("Network.dataReceived", grown)
    spoken.on("Network.loadingFinished", ended)
    spoken.send("Network.enable")
    if slow:
        spoken.send("Network.emulateNetworkConditions", SLOW_4G)
        spoken.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
    with page.expect_response("**/api/events"):
        page.goto(address, wait_until="load")
    page.wait_for_timeout(QUIET_MS)
    paint = float(page.evaluate(PAINT))
    blocking = page.evaluate(BLOCKING)
    redirects = page.evaluate("performance.getEntriesByType('navigation')[0].redirectCount")
    context.close()
    return Seen(paint, heavy, redirects, blocking)
