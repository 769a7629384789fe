import { execFile } from "node:child_process"
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { createRequire } from "node:module"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { verifies } from "@assay/testkit"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { startTestServer, type TestServer } from "../testing/start-test-server.ts"

interface Parameter {
  readonly name: string
  readonly in: string
  readonly required?: boolean
  readonly schema: { readonly default?: unknown }
}
interface Operation {
  readonly operationId: string
  readonly description?: string
  readonly parameters?: readonly Parameter[]
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, Media>> }>>
}
interface Media {
  readonly schema: { readonly format?: string }
  readonly example?: unknown
}

let server: TestServer
let text: string
let operations: readonly Operation[]
const folder = await mkdtemp(join(tmpdir(), "openapi-"))
beforeAll(async () => {
  server = await startTestServer()
  const answer = await server.call("GET", "/openapi.json")
  text = answer.text
  const paths: Readonly<Record<string, Readonly<Record<string, Operation>>>> = answer.json.paths
  operations = Object.values(paths).flatMap((methods) => Object.values(methods))
})
afterAll(async () => {
  await server[Symbol.asyncDispose]()
  await rm(folder, { recursive: true })
})

const mediaOf = ({ responses }: Operation) =>
  Object.entries(responses)
    .filter(([status]) => status.startsWith("2"))
    .flatMap(([, { content = {} }]) => Object.values(content))

describe("the OpenAPI description", () => {
  it(
    "has no problem for redocly lint, which also compares each example with its schema",
    verifies("service.openapi-valid"),
    async () => {
      const file = join(folder, "openapi.json")
      await writeFile(file, text)
      const cli = createRequire(import.meta.url).resolve("@redocly/cli/bin/cli.js")
      const config = fileURLToPath(new URL("../../redocly.yaml", import.meta.url))
      const env = { ...process.env, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" }
      const words = [cli, "lint", file, "--config", config, "--format", "json"]
      const { stdout } = await promisify(execFile)(process.execPath, words, { env, maxBuffer: 2 ** 24 }).catch(
        (error: { readonly stdout: string }) => error,
      )
      const {
        problems,
      }: { readonly problems: readonly { readonly message: string; readonly location: readonly object[] }[] } =
        JSON.parse(stdout)
      expect(problems.map(({ message, location }) => [message, location[0]])).toEqual([])
      expect(text.length).toBeGreaterThan(300_000)
    },
  )

  it(
    "describes every operation, with an example of each answer that is JSON or text, and types of downloads",
    verifies("service.openapi-answers"),
    () => {
      expect(operations.length).toBeGreaterThan(180)
      const short = operations.filter(
        ({ description = "" }) => description.length < 20 || description.startsWith("The example"),
      )
      expect(short.map(({ operationId }) => operationId)).toEqual([])
      const without = operations.filter((operation) => {
        const media = mediaOf(operation)
        return (
          media.length > 0 && !media.some(({ schema, example }) => schema.format === "binary" || example !== undefined)
        )
      })
      expect(without.map(({ operationId }) => operationId)).toEqual([])
      const downloads = operations.filter((operation) =>
        mediaOf(operation).some(({ schema }) => schema.format === "binary"),
      )
      expect(downloads.map(({ operationId }) => operationId)).toEqual(
        expect.arrayContaining(["readFile", "downloadJobResults", "getJobLogs", "readObject", "s3GetObject"]),
      )
    },
  )

  it("requires no parameter that has a default", verifies("service.openapi-answers"), () => {
    const query = operations.flatMap(({ parameters = [] }) =>
      parameters.filter((parameter) => parameter.in === "query"),
    )
    const defaulted = query.filter(({ schema }) => "default" in schema)
    expect(defaulted.length).toBeGreaterThan(50)
    expect(defaulted.filter(({ required }) => required === true)).toEqual([])
  })

  it(
    "contains no token, key or path of the machine that recorded the answers",
    verifies("service.openapi-answers"),
    () => {
      expect(text).not.toMatch(/assay_(?!the-token)[\w-]{20,}|\/tmp\/|127\.0\.0\.1:(?!8080|9000)\d+/)
    },
  )
})
