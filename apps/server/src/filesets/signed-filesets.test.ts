import { generateKeyPairSync, type KeyObject } from "node:crypto"
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { signFiles } from "@assay/signatures"
import { openFolderStorage } from "@assay/storage"
import { startFakeObjstore, verifies } from "@assay/testkit"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { FILES, SECRETS, startTestServer, type TestServer } from "../testing/start-test-server.ts"

const pair = generateKeyPairSync("ec", { namedCurve: "P-256" })
const pem = (key: KeyObject) => key.export({ type: "spki", format: "pem" })
let server: TestServer
let roots: string
beforeAll(async () => {
  server = await startTestServer({
    ASSAY_ALLOWED_LOCAL_ROOTS: "models",
    ASSAY_TRUSTED_KEYS: "trusted",
    ASSAY_ALLOWED_HOSTS: "127.0.0.1",
  })
  roots = join(server.folder, "models")
  mkdirSync(join(server.folder, "trusted"))
  writeFileSync(join(server.folder, "trusted/publisher.pub"), pem(pair.publicKey))
})
afterAll(() => server[Symbol.asyncDispose]())

/** Writes a signed model, changes it, and makes a fileset of it. */
async function create(name: string, signature: string, change: (folder: string) => void = () => undefined) {
  const folder = join(roots, name)
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, "config.json"), "{}")
  writeFileSync(join(folder, "model.safetensors"), "weights")
  const storage = openFolderStorage(folder)
  const signed = await signFiles({ storage, name, key: pair.privateKey, certificates: [], ignored: ["model.sig"] })
  writeFileSync(join(folder, "model.sig"), signed.signature)
  change(folder)
  const json = { name, purpose: "model", signature, storage: { type: "local", path: folder } }
  return server.call("POST", `${FILES}/default/filesets`, { json })
}

const read = (name: string, path: string, headers = {}) =>
  server.call("GET", `${FILES}/default/filesets/${name}/-/${path}`, { headers })

describe("a fileset that requires a signature", () => {
  it("is created if a trusted key has signed its files, and says who", verifies("filesets.signature"), async () => {
    const { status, json } = await create("signed", "required")
    expect(status).toBe(200)
    const fields = {
      signature: "required",
      signature_path: "model.sig",
      signature_status: { state: "verified", reason: null, differing: [] },
    }
    expect(json).toMatchObject(fields)
    expect(json.signature_status.signer).toBe("publisher.pub")
    const { json: stored } = await server.call("GET", `${FILES}/default/filesets/signed`)
    expect(stored).toMatchObject(fields)
    expect((await read("signed", "config.json")).text).toBe("{}")
    expect((await read("signed", "model.safetensors", { range: "bytes=0-1" })).text).toBe("we")
  })

  it("reads no file that changed or came after it was signed", verifies("filesets.signature"), async () => {
    expect((await create("changed", "required")).status).toBe(200)
    writeFileSync(join(roots, "changed/model.safetensors"), "Weights")
    writeFileSync(join(roots, "changed/later.py"), "")
    const changed = await read("changed", "model.safetensors").catch((error: Error) => error)
    expect(changed).not.toMatchObject({ status: 200 })
    expect(await read("changed", "later.py")).toMatchObject({ status: 422, json: { detail: expect.anything() } })
    expect((await read("changed", "config.json")).text).toBe("{}")
  })

  it("is refused if the signature is missing, changed, of somebody else, or does not fit the names", async () => {
    const missing = await create("missing", "required", (folder) => rmSync(join(folder, "model.sig")))
    expect(missing).toMatchObject({ status: 422 })
    expect(missing.text).toContain("no signature 'model.sig'")
    const extra = await create("extra", "required", (folder) => writeFileSync(join(folder, "hook.py"), ""))
    expect(extra.text).toContain("'hook.py'")
    const broken = await create("broken", "required", (folder) => writeFileSync(join(folder, "model.sig"), "{}"))
    expect(broken.text).toContain("not a signature of a model")
    expect((await server.call("GET", `${FILES}/default/filesets/missing`)).status).toBe(404)
  })
})

describe("a fileset of an object store that requires a signature", () => {
  it(
    "takes no file from the cache that a fileset without one has put there",
    verifies("filesets.signature"),
    async () => {
      const store = await startFakeObjstore()
      try {
        store.write("model.safetensors", "weights")
        store.write("config.json", "{}")
        store.write("model.sig", readFileSync(join(roots, "signed/model.sig")))
        const { endpoint: endpoint_url, bucket, region, accessKeyId, secretAccessKey } = store
        for (const [name, value] of Object.entries({ id: accessKeyId, key: secretAccessKey })) {
          await server.call("POST", `${SECRETS}/default/secrets`, { json: { name, value } })
        }
        const keys = { access_key_id_secret: "id", secret_access_key_secret: "key" }
        const storage = { type: "objstore", bucket, region, endpoint_url, ...keys }
        const post = (json: object) => server.call("POST", `${FILES}/default/filesets`, { json: { storage, ...json } })
        expect(await post({ name: "plain" })).toMatchObject({ status: 200 })
        expect(await post({ name: "stored", signature: "required" })).toMatchObject({ status: 200 })
        store.write("model.safetensors", "Weights")
        expect((await read("plain", "model.safetensors")).text).toBe("Weights")
        const changed = await read("stored", "model.safetensors").catch((error: Error) => error)
        expect(changed).not.toMatchObject({ status: 200 })
        expect((await read("stored", "config.json")).text).toBe("{}")
      } finally {
        await store.close()
      }
    },
  )
})

describe("a fileset that reports a signature", () => {
  it("is created in any case, and says what was found", verifies("filesets.signature"), async () => {
    const { json } = await create("reported", "report", (folder) => rmSync(join(folder, "config.json")))
    expect(json.signature_status).toMatchObject({
      state: "differs",
      differing: [{ path: "config.json", fault: "missing" }],
    })
    const none = await create("unsigned", "report", (folder) => rmSync(join(folder, "model.sig")))
    expect(none.json.signature_status).toMatchObject({ state: "missing", signer: null })
  })
})

describe("the fields of a signature", () => {
  it("need a storage with files, and a mode", async () => {
    const post = (json: object) => server.call("POST", `${FILES}/default/filesets`, { json })
    expect(await post({ name: "a", signature: "required" })).toMatchObject({ status: 422 })
    expect(await post({ name: "a", signature_path: "x.sig" })).toMatchObject({ status: 422 })
    expect(await post({ name: "a", signature: "maybe" })).toMatchObject({ status: 422 })
  })
})
