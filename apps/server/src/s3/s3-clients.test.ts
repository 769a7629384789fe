import { execFile, execFileSync } from "node:child_process"
import { randomBytes } from "node:crypto"
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import { verifies } from "@assay/testkit"
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { startS3, type S3TestServer } from "../testing/start-s3.ts"

const { PATH = "", PYENV_ROOT } = process.env
const base = PYENV_ROOT === undefined ? { PATH } : { PATH, PYENV_ROOT }

function runs(program: string, ...command: string[]): boolean {
  try {
    execFileSync(program, command, { env: base, stdio: "ignore", timeout: 60_000 })
    return true
  } catch {
    return false
  }
}

const installed = {
  rclone: runs("rclone", "version"),
  s3cmd: runs("s3cmd", "--version"),
  aws: runs("aws", "--version"),
  boto3: runs("python3", "-c", "import boto3"),
}
const title = (name: keyof typeof installed) =>
  installed[name] ? name : `${name}: skipped, because it is not installed`

const LARGE = randomBytes(12_000_000)
let s3: S3TestServer
let home: string
let env: Readonly<Record<string, string>>
beforeAll(async () => {
  s3 = await startS3()
  home = await mkdtemp(join(tmpdir(), "assay-s3-"))
  await writeFile(join(home, "large.bin"), LARGE)
  const { access_key, secret } = await s3.key({ workspace: "default", role: "editor" })
  env = {
    ...base,
    HOME: home,
    AWS_ACCESS_KEY_ID: access_key,
    AWS_SECRET_ACCESS_KEY: secret,
    AWS_DEFAULT_REGION: "us-east-1",
    AWS_ENDPOINT_URL: s3.endpoint,
    AWS_EC2_METADATA_DISABLED: "true",
  }
})
afterAll(async () => {
  await s3[Symbol.asyncDispose]()
  await rm(home, { recursive: true })
})

/** The folder that the clients copy. */
let from: string
beforeEach(async () => {
  from = await mkdtemp(join(home, "from-"))
  await mkdir(join(from, "sub folder"))
  await writeFile(join(from, "a.txt"), "one")
  await writeFile(join(from, "sub folder", "é+%.txt"), "two")
})

async function run(program: string, ...command: string[]): Promise<string> {
  const { stdout, stderr } = await promisify(execFile)(program, command, { env, cwd: home, timeout: 120_000 })
  return stdout + stderr
}

const isSame = async (file: string) => (await readFile(join(home, file))).equals(LARGE)

describe.skipIf(!installed.rclone)(title("rclone"), () => {
  const remote = () => `:s3,provider=Other,env_auth,endpoint='${s3.endpoint}':default.a`
  const rclone = (...command: string[]) => run("rclone", "--config", "/dev/null", "--retries", "1", ...command)

  it("synchronises folders both ways, and transfers nothing that is the same", verifies("s3.clients"), async () => {
    await rclone("sync", "--size-only", from, `${remote()}/rclone`)
    expect((await rclone("lsf", "-R", `${remote()}/rclone`)).split("\n").toSorted()).toEqual(
      ["", "a.txt", "sub folder/", "sub folder/é+%.txt"].toSorted(),
    )
    const again = await rclone("sync", "--size-only", "-v", "--stats-one-line", from, `${remote()}/rclone`)
    expect(again).toContain("There was nothing to transfer")
    await rclone("copy", `${remote()}/rclone`, join(home, "rclone-back"))
    expect(await readFile(join(home, "rclone-back", "sub folder", "é+%.txt"), "utf8")).toBe("two")
    await rclone("delete", `${remote()}/rclone`)
    expect(await rclone("lsf", "-R", `${remote()}/rclone`)).toBe("")
  })

  it("sends a large file in parts", verifies("s3.clients"), async () => {
    const cutoff = ["--s3-upload-cutoff", "5M", "--s3-chunk-size", "5M"]
    await rclone("copyto", ...cutoff, join(home, "large.bin"), `${remote()}/rclone.bin`)
    await rclone("copyto", `${remote()}/rclone.bin`, join(home, "rclone.bin"))
    expect(await isSame("rclone.bin")).toBe(true)
    await rclone("deletefile", `${remote()}/rclone.bin`)
  })
})

describe.skipIf(!installed.s3cmd)(title("s3cmd"), () => {
  const s3cmd = (...command: string[]) => {
    const host = s3.endpoint.replace("http://", "")
    const options = ["--no-ssl", `--host=${host}`, `--host-bucket=${host}`, "--no-progress", "--region=us-east-1"]
    return run("s3cmd", "-c", "/dev/null", ...options, ...command)
  }

  it("puts, lists, gets and deletes files, large ones in parts", verifies("s3.clients"), async () => {
    await s3cmd("put", join(from, "a.txt"), "s3://default.a/s3cmd/a.txt")
    expect(await s3cmd("ls", "s3://default.a/s3cmd/")).toContain("s3://default.a/s3cmd/a.txt")
    expect(await s3cmd("ls")).toContain("s3://default.a")
    await s3cmd("put", "--multipart-chunk-size-mb=5", join(home, "large.bin"), "s3://default.a/s3cmd/large.bin")
    const output = await s3cmd("get", "s3://default.a/s3cmd/large.bin", join(home, "s3cmd.bin"))
    expect(output).not.toContain("MD5")
    expect(await isSame("s3cmd.bin")).toBe(true)
    await s3cmd("del", "--recursive", "s3://default.a/s3cmd/")
    expect(await s3cmd("ls", "s3://default.a/s3cmd/")).toBe("")
  })
})

describe.skipIf(!installed.aws)(title("aws"), () => {
  it("copies, synchronises, lists and removes files", { ...verifies("s3.clients"), timeout: 240_000 }, async () => {
    const aws = (...command: string[]) => run("aws", "s3", ...command)
    await aws("sync", from, "s3://default.a/aws", "--no-progress")
    expect(await aws("ls", "--recursive", "s3://default.a/aws/")).toContain("aws/sub folder/é+%.txt")
    await aws("cp", join(home, "large.bin"), "s3://default.a/aws/large.bin", "--no-progress")
    await aws("cp", "s3://default.a/aws/large.bin", "s3://default.a/aws/copy.bin", "--no-progress")
    const link = (await aws("presign", "s3://default.a/aws/copy.bin")).trim()
    expect(LARGE.equals(Buffer.from(await (await fetch(link)).arrayBuffer()))).toBe(true)
    await aws("rm", "--recursive", "s3://default.a/aws", "--quiet")
  })
})

const BOTO3 = `
import boto3, io, os
client = boto3.client("s3")
client.put_object(Bucket="default.a", Key="boto3/a", Body=b"one", IfNoneMatch="*")
client.put_object(Bucket="default.a", Key="boto3/b", Body=io.BytesIO(b"two"), ChecksumAlgorithm="SHA256")
client.upload_file("large.bin", "default.a", "boto3/large.bin")
client.download_file("default.a", "boto3/large.bin", "boto3.bin")
pages = client.get_paginator("list_objects_v2").paginate(Bucket="default.a", Prefix="boto3/", PaginationConfig={"PageSize": 1})
keys = [item["Key"] for page in pages for item in page.get("Contents", [])]
print(keys, client.get_object(Bucket="default.a", Key="boto3/b", Range="bytes=1-")["Body"].read())
client.delete_objects(Bucket="default.a", Delete={"Objects": [{"Key": key} for key in keys]})
print(client.list_objects_v2(Bucket="default.a", Prefix="boto3/")["KeyCount"])
`

describe.skipIf(!installed.boto3)(title("boto3"), () => {
  it("puts, lists, gets and deletes files", verifies("s3.clients"), async () => {
    expect(await run("python3", "-c", BOTO3)).toBe("['boto3/a', 'boto3/b', 'boto3/large.bin'] b'wo'\n0\n")
    expect(await isSame("boto3.bin")).toBe(true)
  })
})
