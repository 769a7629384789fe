import { execFile } from "node:child_process"
import {
  accessSync,
  chmodSync,
  constants,
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  writeFileSync,
} from "node:fs"
import { delimiter, dirname, join } from "node:path"
import { promisify } from "node:util"
import { REPOSITORY_ROOT } from "../reading/repository.ts"

const run = promisify(execFile)

/** The settings of an image that a runtime follows. */
export interface ImageConfig {
  readonly User: string
  readonly Env: readonly string[]
  readonly Entrypoint: readonly string[]
  readonly Cmd: readonly string[]
  readonly WorkingDir: string
  readonly Volumes: Readonly<Record<string, object>>
  readonly Healthcheck: { readonly Test: readonly string[] }
}

/** An image, its root file system in a folder, and what its base image has besides empty folders. */
export interface BuiltImage {
  readonly root: string
  readonly base: string
  readonly config: ImageConfig
}

const NEEDED = ["buildah", "unshare", "mount", "ldd", "pnpm"]

/** Returns why no image can be built and started on this machine. Undefined if one can. */
export function whyNoImage(): string | undefined {
  const folders = (process.env["PATH"] ?? "").split(delimiter)
  const missing = NEEDED.filter((name) => !folders.some((folder) => isExecutable(join(folder, name))))
  if (missing.length > 0) return `${missing.join(", ")} not installed`
  return process.getuid?.() === 0 ? undefined : "needs root, for a read-only root file system"
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/**
 * Builds the image of deploy/Containerfile in an empty folder, without the network. The commands of its first stage that make the
 * program run on this machine, which has installed what they need. The base image of the last stage has empty folders: those of
 * Node and its libraries, which come from the file system of this machine, are mounted when the image is run.
 */
export async function buildImage(folder: string): Promise<BuiltImage> {
  const bundles = join(REPOSITORY_ROOT, "apps/server/dist/bundle")
  if (!existsSync(bundles))
    throw new Error(
      `The image contains ${bundles}, which is missing; run 'npx turbo run build --filter=@assay/server...'.`,
    )
  const [first = "", last = ""] = readFileSync(join(REPOSITORY_ROOT, "deploy/Containerfile"), "utf8").split(
    /^(?=FROM \$\{BASE_IMAGE\})/m,
  )
  const [context, base] = [join(folder, "context"), join(folder, "base")]
  for (const command of commandsBelowImage(first)) {
    await run("sh", ["-c", command.replaceAll("/image/", `${context}/image/`)], { cwd: REPOSITORY_ROOT })
  }
  await makeBase(base)
  for (const name of [...BASE_FOLDERS, "tmp", "dev", "proc"])
    mkdirSync(join(folder, "empty", name), { recursive: true })
  chmodSync(join(folder, "empty/tmp"), 0o1777)
  const file = join(folder, "Containerfile")
  writeFileSync(file, `ARG BASE_IMAGE\n${last}`)

  const buildah = async (...args: readonly string[]) => {
    const place = ["--root", join(folder, "images"), "--runroot", join(folder, "run"), "--storage-driver", "vfs"]
    return (await run("buildah", [...place, ...args], { maxBuffer: 2 ** 24 })).stdout.trim()
  }
  const made = await buildah("from", "scratch")
  await buildah("copy", "--quiet", made, join(folder, "empty"), "/")
  await buildah("commit", "--quiet", "--rm", made, "localhost/base")
  const options = ["--isolation", "chroot", "--format", "docker", "--layers=false", "--pull-never"]
  const sources = ["--build-arg", "BASE_IMAGE=localhost/base", "--build-context", `build=${context}`]
  await buildah("bud", "--quiet", ...options, ...sources, "--tag", "localhost/assay", "--file", file, context)
  const container = await buildah("from", "--pull-never", "localhost/assay")
  const root = await buildah("mount", container)
  const { Docker }: { Docker: { config: ImageConfig } } = JSON.parse(
    await buildah("inspect", "--type", "image", "localhost/assay"),
  )
  return { root, base, config: Docker.config }
}

/** Returns the shell commands of a stage that name a path below /image/, and those joined to them by `&&`, without the build. */
function commandsBelowImage(stage: string): readonly string[] {
  const commands = [...stage.matchAll(/^RUN ((?:[^\n]*\\\n)*[^\n]*)$/gm)].flatMap(([, text = ""]) =>
    text.replaceAll("\\\n", " ").split("&&"),
  )
  return commands.filter((command) => command.includes("/image/"))
}

/** Folders of a base image that Node needs. */
export const BASE_FOLDERS = ["nodejs", "lib", "lib64", "etc"] as const

/** Writes Node to /nodejs/bin/node, what it links to, and the user of the image. */
async function makeBase(base: string): Promise<void> {
  for (const name of BASE_FOLDERS) mkdirSync(join(base, name), { recursive: true })
  mkdirSync(join(base, "nodejs/bin"))
  copyFileSync(process.execPath, join(base, "nodejs/bin/node"))
  writeFileSync(join(base, "etc/passwd"), "nonroot:x:65532:65532:nonroot:/:/sbin/nologin\n")
  const { stdout } = await run("ldd", [process.execPath])
  for (const [library] of stdout.matchAll(/\/\S+/g)) {
    // Some systems name the same folder with and without /usr.
    const target = join(base, library.replace(/^\/usr\//, "/"))
    mkdirSync(dirname(target), { recursive: true })
    copyFileSync(library, target)
  }
}
