import { spawn, type ChildProcess } from "node:child_process"
import { BASE_FOLDERS, type BuiltImage } from "./build-image.ts"

/**
 * Mounts the root file system read-only, and memory at the places that may be written. Then runs the command as the user, in the
 * working folder. The arguments: root, base, user, group, working folder, path of the volume, command.
 */
const START = `set -eu
root=$1 base=$2 uid=$3 gid=$4 folder=$5 volume=$6; shift 6
mount --make-rprivate /
mount --bind "$root" "$root"
mount -o remount,bind,ro "$root"
for name in ${BASE_FOLDERS.join(" ")}; do
  mount --bind "$base/$name" "$root/$name"
  mount -o remount,bind,ro "$root/$name"
done
mount -t tmpfs tmpfs "$root/tmp"
mount -t tmpfs -o "uid=$uid,gid=$gid,mode=700" tmpfs "$root$volume"
mount --rbind /dev "$root/dev"
mount -t proc proc "$root/proc"
exec unshare --root="$root" --wd="$folder" --setgid "$gid" --setuid "$uid" "$@"`

/**
 * Runs a command in an image as a container runtime does, with the variables of the image and others. Processes see the network
 * of this machine.
 */
export function runInImage(
  { root, base, config }: BuiltImage,
  command: readonly string[],
  variables: Readonly<Record<string, string>> = {},
): ChildProcess {
  const [uid = "", gid = ""] = config.User.split(":")
  const [volume = ""] = Object.keys(config.Volumes)
  // An empty root would be that of this machine.
  if (root === "" || root === "/" || volume === "")
    throw new Error(`The image has the root '${root}' and the volume '${volume}'.`)
  const env = Object.fromEntries(
    config.Env.map((one) => [one.slice(0, one.indexOf("=")), one.slice(one.indexOf("=") + 1)]),
  )
  return spawn(
    "unshare",
    ["--mount", "sh", "-c", START, "start", root, base, uid, gid, config.WorkingDir, volume, ...command],
    {
      env: { ...env, ...variables },
      stdio: ["ignore", "pipe", "pipe"],
    },
  )
}

export interface Ended {
  readonly code: number | null
  readonly output: string
}

/** Waits until a process has ended, and returns what it has written. */
export async function outputOf(child: ChildProcess): Promise<Ended> {
  const { promise, resolve, reject } = Promise.withResolvers<Ended>()
  let output = ""
  for (const stream of [child.stdout, child.stderr]) stream?.on("data", (piece) => (output += String(piece)))
  child.once("error", reject)
  child.once("close", (code) => resolve({ code, output }))
  return promise
}
