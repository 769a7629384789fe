import { readFile } from "node:fs/promises"
import { expect, it } from "vitest"
import { startTestServer } from "../testing/start-test-server.ts"

const ALERTS = new URL("../../../../deploy/alerts.yaml", import.meta.url)

it("The metrics have everything that the alerts in deploy/ ask for", async () => {
  await using server = await startTestServer()
  // Only routes that were called have durations.
  await server.call("GET", "/status")
  const { text } = await server.call("GET", "/metrics")
  const named = new Set((await readFile(ALERTS, "utf8")).match(/\b(?:assay|nodejs|process)_\w+/g))
  expect(named.size).toBeGreaterThan(4)
  for (const name of named) expect(text).toContain(name)
  expect(text).toContain('assay_jobs{status="PENDING"} 0')
})
