import { AssayError, type GuardrailData } from "@assay/schemas"
import { expect, it } from "vitest"
import { guardrailContext } from "../testing/guardrail-context.ts"
import { createGuardrailService, type GuardrailServiceContext } from "./guardrail-service.ts"
import type { GuardrailStore, StoredGuardrail } from "./guardrail-store.ts"

const RECORD = { project: "", description: "", created_at: "2026-11-22T00:00:00Z", updated_at: "2026-11-22T00:00:00Z" }
const SELF_CHECK: GuardrailData = {
  models: [{ type: "main", model: "m", url: "http://127.0.0.1:1/v1", api_key_secret: "key" }],
  rails: { input: { flows: ["self check input"] } },
  prompts: [{ task: "self_check_input", content: "Block {{ user_input }}?" }],
}

/** Creates a store in memory. */
function memoryStore(): GuardrailStore {
  const records = new Map<string, StoredGuardrail>()
  const get = async (workspace: string, name: string) => {
    const found = records.get(`${workspace}/${name}`)
    if (found === undefined)
      throw new AssayError("not_found", `Guardrail configuration '${workspace}/${name}' not found`)
    return found
  }
  return {
    get,
    async create(workspace, { name, data }) {
      const record = { ...RECORD, id: `guardrail-${name}`, name, workspace, data }
      records.set(`${workspace}/${name}`, record)
      return record
    },
    async list(workspace, { page, page_size, leading }) {
      const data = [...records.values()].filter((record) => record.workspace === workspace)
      const total = data.length + leading
      const current = Math.min(page_size, total)
      const pagination = { page, page_size, current_page_size: current, total_pages: 1, total_results: total }
      return { data, pagination }
    },
    update: get,
    remove: get,
  }
}

function service(overrides: Partial<GuardrailServiceContext> = {}) {
  const { inference, now, newId } = guardrailContext()
  return createGuardrailService({
    store: memoryStore(),
    secrets: {
      checkRights(secrets, workspace, rights) {
        for (const secret of secrets) {
          if (secret.workspace !== workspace && !rights(secret.workspace))
            throw new AssayError("secret_not_readable", `Secret '${secret.workspace}/${secret.name}' can't be read`)
        }
      },
      versions: async () => "1",
      resolve: async () => "value",
    },
    checkJsonOf: () => () => Promise.resolve(null),
    checkEndpoint: () => {},
    openInference: async () => inference,
    defaultUrl: undefined,
    now,
    newId,
    logger: { warn: () => {} },
    ...overrides,
  })
}

const ALL = { checkSees: () => {}, usesSecretsOf: () => true }
const hidden = (workspace: string) => {
  throw new AssayError("not_found", `Workspace '${workspace}' not found`)
}
const HERE_ONLY = { checkSees: hidden, usesSecretsOf: () => false }

it("Built-in configurations come first in the workspace system, and can't be changed", async () => {
  const { configurations } = service()
  const page = { page: 1, page_size: 50 }
  const { data, pagination } = await configurations.list("system", page)
  expect(data.map(({ name }) => name)).toContain("self-check")
  expect(pagination?.total_results).toBe(data.length)
  expect((await configurations.list("default", page)).data).toEqual([])
  expect(await configurations.isBuiltIn("system", "self-check")).toBe(true)
  await expect(configurations.remove("system", "self-check")).rejects.toMatchObject({ code: "in_use" })
  await expect(
    configurations.create("system", { name: "self-check", data: SELF_CHECK }, () => true),
  ).rejects.toMatchObject({ code: "already_exists" })
})

it("Creating a configuration checks its flows, its endpoints and its secrets", async () => {
  const checked: string[] = []
  const { configurations } = service({ checkEndpoint: (url) => void checked.push(url) })
  const create = (data: GuardrailData) => configurations.create("default", { name: "own", data }, () => false)
  await expect(create({ rails: { input: { flows: ["no such flow"] } } })).rejects.toMatchObject({
    code: "invalid_request",
  })
  const [model] = SELF_CHECK.models ?? []
  const foreign = { ...SELF_CHECK, models: [{ ...model, type: "main", api_key_secret: "shared/key" }] }
  await expect(create(foreign)).rejects.toMatchObject({ code: "secret_not_readable" })
  expect(await create(SELF_CHECK)).toMatchObject({ name: "own", entity_id: "guardrail-own" })
  expect(checked).toContain("http://127.0.0.1:1/v1")
})

it("A request for another workspace needs the right to see it, except for built-in configurations", async () => {
  const guardrails = service()
  await guardrails.configurations.create("shared", { name: "own", data: SELF_CHECK }, () => true)
  const request = { workspace: "default", model: "m" }
  const acquire = (config_id: string, rights: typeof ALL | typeof HERE_ONLY) =>
    guardrails.acquire({ ...request, choice: { config_id }, rights })
  await expect(acquire("shared/own", HERE_ONLY)).rejects.toMatchObject({ code: "not_found" })
  await expect(acquire("shared/own", { ...HERE_ONLY, checkSees: () => {} })).rejects.toMatchObject({
    code: "secret_not_readable",
  })
  using lease = await acquire("shared/own", ALL)
  using again = await acquire("shared/own", ALL)
  expect(again.guardrail).toBe(lease.guardrail)
  const both = { config_id: "own", config: SELF_CHECK }
  await expect(guardrails.acquire({ ...request, choice: both, rights: ALL })).rejects.toMatchObject({
    issues: [{ loc: ["body", "guardrails"], type: "one_of" }],
  })
  await guardrails.close()
})
