import type { Grant } from "@assay/schemas"
import { randomBytes, randomUUID } from "node:crypto"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { JobHost } from "@assay/jobs"
import { createGuardrailService } from "@assay/guardrails"
import { createHostPolicy, type HostPolicy } from "@assay/http/node"
import { checkSecretRights } from "@assay/filesets"
import { openRegistry } from "@assay/registry"
import { createTransport, parseFilePath } from "@assay/storage"
import type { Caller } from "@assay/access"
import { createSchemas } from "@assay/contents"
import { openInferenceWith } from "../outbound/open-inference.ts"
import { sleep } from "../sleep.ts"

export const callerWith = (...grants: readonly Grant[]): Caller => ({ id: "t", name: "t", grants })
/** Callers who launch in `default`: one without other rights, and others with a role in `shared`. */
export const INSIDE = callerWith({ workspace: "default", role: "editor" })
export const VIEWER = callerWith(...INSIDE.grants, { workspace: "shared", role: "viewer" })
export const EDITOR = callerWith(...INSIDE.grants, { workspace: "shared", role: "editor" })

export interface TestEnvironment extends AsyncDisposable {
  readonly context: JobHost
  readonly folder: string
}

/** Returns the ports through which jobs reach inference endpoints, under a policy. */
export const inferencePorts = (policy: HostPolicy): Pick<JobHost, "checkEndpoint" | "openInference"> => ({
  checkEndpoint: (url) => policy.checkEndpoint(url),
  openInference: openInferenceWith({ policy, answerRoom: { maxBytes: 1e9, heldBytes: 0 } }),
})

async function* rows(): AsyncGenerator<Uint8Array> {
  yield Buffer.from('{"output":"4","answer":"4"}\n')
}

/** Opens a registry with the workspaces `default` and `shared`. Each has a secret `key`, a fileset `questions` and a guardrail `guard`. */
export async function openTestEnvironment(): Promise<TestEnvironment> {
  const folder = await mkdtemp(join(tmpdir(), "assay-environment-"))
  const newId = (prefix: string) => `${prefix}-${randomUUID()}`
  const registry = await openRegistry({
    database: { kind: "sqlite", file: join(folder, "assay.db") },
    defaultStorage: { type: "local", path: join(folder, "storage") },
    allowedLocalRoots: [],
    encryptionKeys: [{ name: "first", key: new Uint8Array(32) }],
    now: Date.now,
    elapsed: () => performance.now(),
    newId,
    randomBytes,
    transport: createTransport(),
    random: Math.random,
    sleep: () => Promise.resolve(),
  })
  const policy = testPolicy()
  const schemas = createSchemas(1)
  const { configurations } = createGuardrailService({
    store: registry.guardrailConfigurations,
    secrets: { ...registry.secrets, checkRights: checkSecretRights },
    ...inferencePorts(policy),
    checkJsonOf: () => () => Promise.resolve(null),
    defaultUrl: undefined,
    now: Date.now,
    newId: randomUUID,
    logger: { warn() {} },
  })
  await registry.workspaces.create({ name: "shared" })
  for (const workspace of ["default", "shared"]) {
    await registry.secrets.create(workspace, { name: "key", value: `of ${workspace}` })
    await registry.filesets.create(workspace, { name: "questions" })
    await registry.files.write(workspace, "questions", parseFilePath("rows.jsonl"), rows())
    const models = [{ type: "main", model: "m", url: "http://127.0.0.1:1/v1", api_key_secret: "key" }]
    const data = { models, rails: { input: { flows: ["self check input"] } } }
    await registry.guardrailConfigurations.create(workspace, { name: "guard", data })
  }
  return {
    context: {
      registry,
      schemas,
      guardrails: configurations,
      ...inferencePorts(policy),
      now: Date.now,
      elapsed: () => performance.now(),
      newId,
      random: Math.random,
      sleep,
    },
    folder,
    async [Symbol.asyncDispose]() {
      await schemas.close()
      await registry.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

function testPolicy() {
  return createHostPolicy({ rules: [], unlisted: "all-but-link-local", setting: "ASSAY_ALLOWED_INFERENCE_HOSTS" })
}
