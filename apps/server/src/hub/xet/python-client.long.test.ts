import { execFile } from "node:child_process"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import process from "node:process"
import { promisify } from "node:util"
import { verifies } from "@assay/testkit"
import { afterAll, beforeAll, expect, it } from "vitest"
import { startHub, type TestHub } from "../../testing/start-hub.ts"

/** A Python with `huggingface_hub` and `hf_xet`, which this repository can't install. */
const python = process.env["ASSAY_HUB_PYTHON"]
const what = python === undefined ? ": skipped, because ASSAY_HUB_PYTHON names no Python" : ""

/** Parts that repeat, alone and beside others, become terms that overlap. */
const SCRIPT = `
import os, random, sys
from huggingface_hub import HfApi, hf_hub_download, get_hf_file_metadata, hf_hub_url, snapshot_download

folder, token = sys.argv[1:]
api = HfApi(token=token)
repo = "default/python"
api.create_repo(repo)
random.seed(1)
parts = [random.randbytes(900_000), bytes(700_000), random.randbytes(1_500_000)]
files = {"empty.bin": b"", "one.bin": b"x", "mixed.bin": b"".join([parts[i] for i in (0, 1, 2, 0, 1)] + [parts[2][200_000:]])}
files["changed.bin"] = files["mixed.bin"][:2_000_000] + b"new" + files["mixed.bin"][2_000_003:]
for name, content in files.items():
    api.upload_file(path_or_fileobj=content, path_in_repo=name, repo_id=repo)
metadata = get_hf_file_metadata(hf_hub_url(repo, "mixed.bin"), token=token)
assert metadata.xet_file_data is not None, "mixed.bin is not read as chunks"
for name, content in files.items():
    with open(hf_hub_download(repo, name, token=token, cache_dir=folder), "rb") as file:
        assert file.read() == content, name
snapshot = snapshot_download(repo, token=token, local_dir=folder + "/all")
for name, content in files.items():
    with open(os.path.join(snapshot, name), "rb") as file:
        assert file.read() == content, name
print("equal")
`

let hub: TestHub
let folder: string
beforeAll(async () => {
  hub = await startHub()
  folder = await mkdtemp(join(tmpdir(), "python-client-"))
})
afterAll(async () => {
  await hub[Symbol.asyncDispose]()
  await rm(folder, { recursive: true })
})

it.runIf(python).each(["1", "2"])(
  `The Python client uploads files as chunks and reads them as chunks, with version %s of the protocol${what}`,
  verifies("hub.xet-read"),
  async (version) => {
    const cache = await mkdtemp(join(folder, "cache-"))
    const env = {
      PATH: process.env["PATH"],
      HF_ENDPOINT: hub.url,
      HF_HOME: cache,
      HF_XET_CLIENT_RECONSTRUCTION_API_VERSION: version,
    }
    const script = SCRIPT.replaceAll("default/python", `default/python-${version}`)
    const { stdout } = await promisify(execFile)(python ?? "", ["-c", script, cache, hub.token("editor")], { env })
    expect(stdout).toContain("equal")
  },
)
