// What the catalog's site tells about the host, and to whom.

import { get } from "node:http";
import { startDemo } from "../../demo/server.mjs";
import { expect, test } from "./catalog/fixture.ts";

/** A request as a program may send it, with headers that `fetch` keeps for itself. */
function ask(url: string, headers: Record<string, string> = {}) {
  return new Promise<{ status: number; headers: NodeJS.Dict<string | string[]>; body: string }>((resolve, reject) => {
    const request = get(url, { headers, agent: false }, (response) => {
      let body = "";
      response.setEncoding("utf8").on("data", (text) => {
        body += text;
      });
      response.on("end", () => resolve({ status: response.statusCode ?? 0, headers: response.headers, body }));
    });
    request.on("error", reject);
  });
}

test("only the site's own pages read the credential", async ({ demo, host }) => {
  const address = `${demo.catalogUrl}pageport-host.json`;
  const own = new URL(demo.catalogUrl).host;
  const answers: [headers: Record<string, string>, status: number][] = [
    [{}, 200],
    [{ "sec-fetch-site": "same-origin" }, 200],
    [{ "sec-fetch-site": "none" }, 200],
    [{ "sec-fetch-site": "same-site" }, 403],
    [{ "sec-fetch-site": "cross-site" }, 403],
    [{ host: own.replace("localhost", "127.0.0.1") }, 403],
    [{ host: own.replace("localhost", "rebound.example") }, 403],
  ];
  for (const [headers, status] of answers) {
    const reply = await ask(address, headers);
    expect({ headers, status: reply.status }).toEqual({ headers, status });
    expect(reply.headers["cache-control"]).toBe("no-store");
    expect(Object.keys(reply.headers).filter((name) => name.startsWith("access-control"))).toEqual([]);
    if (status === 403) expect(reply.body).toBe("Only the pages of this site may read this.\n");
    else expect(Object.keys(JSON.parse(reply.body)).sort()).toEqual(["credential", "url"]);
  }
  expect(JSON.parse((await ask(address)).body).url).toBe(`${host.url}/bridge/v1`);
  expect((await ask(`${demo.ordersUrl}pageport-host.json`)).status).toBe(404);
});

test("a page of another origin gets nothing of it", async ({ demo, page }) => {
  await page.route("http://localhost:9/", (route) =>
    route.fulfill({ contentType: "text/html", body: "<title>x</title>" }),
  );
  await page.goto("http://localhost:9/");
  const outcomes = await page.evaluate(async (address) => {
    const read = (mode: RequestMode) =>
      fetch(address, { mode }).then(
        (response) => response.text(),
        (error: Error) => error.name,
      );
    return [await read("cors"), await read("no-cors")];
  }, `${demo.catalogUrl}pageport-host.json`);
  expect(outcomes).toEqual(["TypeError", "TypeError"]);
});

test("without a host the site says so", async () => {
  const demo = await startDemo();
  const { status, body } = await ask(`${demo.catalogUrl}pageport-host.json`);
  expect({ status, body }).toEqual({ status: 404, body: "This site was started without a host.\n" });
  await demo.close();
});
