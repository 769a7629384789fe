import { chmodSync, mkdtempDisposableSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { execPath } from "node:process"
import { startFakeInference, verifies } from "@assay/testkit"
import { describe, expect, it } from "vitest"
import { openContainerPrograms } from "./open-container-programs.ts"

/** A program that takes the arguments of docker, notes them, and runs the program on this machine with the mounted folder as its working folder. */
const DOCKER = `#!/bin/sh
printf '%s\\n' "$*" >> "$HOME/calls"
[ "$1" = kill ] && exit 0
[ "$1" = version ] && { [ ! -e "$HOME/no-daemon" ] || { echo "Client: 29" ; echo "Cannot connect to the Docker daemon at unix:///var/run/docker.sock. Is the docker daemon running?" >&2; exit 1; }; exit 0; }
shift
while [ $# -gt 0 ]; do case "$1" in
  --volume) case "$2" in *:/harness) cd "\${2%:/harness}";; *:/run/assay/*) echo "$2" >> "$HOME/mounts";; esac; shift 2;;
  --env) export "$2"; shift 2;;
  --entrypoint) entry=$2; shift 2;;
  --name|--network|--cap-drop|--security-opt|--memory|--memory-swap|--pids-limit|--user|--workdir|--userns) shift 2;;
  --rm|--interactive) shift;;
  *) break;;
esac; done
[ "$1" = missing ] && { echo "docker: Error response from daemon: no such image." >&2; echo "Run docker run --help for more information." >&2; exit 125; }
shift
case "$entry" in /run/assay/node) shift 3;  entry=$1; shift;; esac
exec "$entry" "$@"
`

function open() {
  const folder = mkdtempDisposableSync(join(tmpdir(), "containers-"))
  const path = join(folder.path, "docker")
  writeFileSync(path, DOCKER)
  chmodSync(path, 0o755)
  let ids = 0
  const opened = (image = "agent:1") =>
    openContainerPrograms(
      {
        tool: {
          kind: "docker",
          path,
          variables: { HOME: folder.path, PATH: "/usr/bin:/bin" },
          uid: 1000,
          gid: 1000,
          node: execPath,
        },
        workFolder: join(folder.path, "work"),
        newId: (prefix) => `${prefix}-${++ids}`,
        elapsed: () => performance.now(),
        inference: { now: () => performance.now(), random: Math.random, sleep: async () => {} },
      },
      image,
      signal,
    )
  const read = (name: string) => readFileSync(join(folder.path, name), "utf8")
  return { folder, opened, read, [Symbol.dispose]: () => folder.remove() }
}
const program = (script: string, more: object = {}) => ({
  command: ["/bin/sh", "-c", script],
  files: { "in/a.txt": "from a file" },
  environment: { SHOP: "lamps" },
  input: "asked",
  timeLimitMs: 60_000,
  ...more,
})
const signal = new AbortController().signal

describe("a program in a container", () => {
  it(
    "gets its input, files and variables, and nothing else of this machine; its folder is gone at the end",
    verifies("run.agent"),
    async () => {
      using containers = open()
      const end = await (await containers.opened()).run(program('cat; cat in/a.txt; echo "$SHOP$TMPDIR"'), signal)
      expect(end).toMatchObject({ ok: true, output: "askedfrom a filelamps\n" })
      const [, call = ""] = containers.read("calls").split("\n")
      for (const part of [
        "run --rm --interactive --name assay-1 --network none --cap-drop ALL --security-opt no-new-privileges",
        "--memory 4294967296 --memory-swap 4294967296 --pids-limit 512 --user 1000:1000",
        "--env HOME=/harness --env SHOP=lamps --entrypoint /bin/sh agent:1 -c",
      ]) {
        expect(call).toContain(part)
      }
      expect(readdirSync(join(containers.folder.path, "work"))).toEqual([])
    },
  )

  it("is killed by its name after its time or too much output, and its failures say why", async () => {
    using containers = open()
    const run = await containers.opened()
    expect(await run.run(program("sleep 60", { timeLimitMs: 300 }), signal)).toMatchObject({
      ok: false,
      isTooSlow: true,
    })
    expect(containers.read("calls")).toContain("\nkill assay-1\n")
    const loud = await run.run(program("head -c 20000000 /dev/zero; sleep 60"), signal)
    expect(loud).toMatchObject({ ok: false, why: "it wrote more than 8 MiB" })
    expect(containers.read("calls")).toContain("\nkill assay-2\n")
    const failed = await run.run(program("echo 'Error: no lamps' >&2; exit 3"), signal)
    expect(failed).toMatchObject({ ok: false, why: "it ended with exit code 3: Error: no lamps" })
    await expect((await containers.opened("missing")).run(program("true"), signal)).rejects.toMatchObject({
      code: "harness_failed",
      message: expect.stringContaining(
        "A container of 'missing' could not be started by docker: docker: Error response",
      ),
    })
  })

  it("reaches its endpoint through a socket that is mounted, without a network", async () => {
    using containers = open()
    const server = await startFakeInference()
    try {
      const endpoint = { target: { url: `${server.url}/v1`, model_id: "echo" }, key: "secret-1" }
      const opened = await containers.opened()
      const end = await opened.run(program('echo "$ASSAY_TARGET_URL $ASSAY_TARGET_MODEL"', { endpoint }), signal)
      expect(end).toMatchObject({ ok: true, output: "http://127.0.0.1:8000/v1 echo\n" })
      expect(containers.read("mounts")).toMatch(
        /node:\/run\/assay\/node:ro\n.*relay\.mts:ro\n.*:\/run\/assay\/endpoint\.sock\n/,
      )
      expect(containers.read("calls")).not.toContain("secret-1")
    } finally {
      await server.close()
    }
  })

  it("is refused without docker and podman, and without the daemon of docker", async () => {
    const none = { tool: undefined } as unknown as Parameters<typeof openContainerPrograms>[0]
    const refused = openContainerPrograms(none, "agent:1", signal)
    await expect(refused).rejects.toThrow("neither docker nor podman is on the PATH")
    using containers = open()
    writeFileSync(join(containers.folder.path, "no-daemon"), "")
    await expect(containers.opened()).rejects.toMatchObject({
      code: "code_not_allowed",
      message: expect.stringMatching(
        /docker can't start one: Cannot connect to the Docker daemon at \S+ Is the docker daemon running; get 'docker version' to work for this user, or leave 'image' out\.$/,
      ),
    })
  })
})
