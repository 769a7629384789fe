import { PassThrough } from "node:stream"
import { expect, it } from "vitest"
import { serveOverStdio } from "./serve-stdio.ts"

it("A message over 4 MiB ends the connection, and is reported", async () => {
  const [stdin, stdout] = [new PassThrough(), new PassThrough()]
  const faults: string[] = []
  const ended = serveOverStdio({
    client: { url: "http://127.0.0.1:1", fetch: () => Promise.reject(new Error("Nothing is asked.")) },
    workspace: "default",
    version: "1",
    sleep: () => Promise.resolve(),
    stdin,
    stdout,
    signal: AbortSignal.timeout(60_000),
    onError: ({ message }) => faults.push(message),
  })
  stdin.write(`{"jsonrpc":"2.0","id":1,"method":"${"x".repeat(4_200_000)}"}\n`)
  await ended
  expect(faults).toEqual([expect.stringContaining("4194304")])
})
