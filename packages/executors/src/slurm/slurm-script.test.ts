import { spawnSync } from "node:child_process"
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { describe, expect, it, onTestFinished } from "vitest"
import type { ShardWork } from "../executor.ts"
import { createSlurmExecutor } from "./slurm-executor.ts"
import type { SlurmProfile } from "./slurm-profile.ts"

const WORK: ShardWork = {
  run: "/shared/run",
  id: "eval-1",
  name: "helpdesk",
  count: 64,
  indexes: Array.from({ length: 64 }, (_, index) => index),
  atOnce: 8,
  program: ["assay"],
  options: [],
  merges: false,
  retries: 2,
}

/** No program is found on PATH: a text is also rendered where Slurm is not installed. */
function render(profile: SlurmProfile, work: Partial<ShardWork> = {}): Promise<string> {
  const executor = createSlurmExecutor(profile, { cwd: "/folder", env: { PATH: "" }, sleep: async () => {} })
  return executor.render({ ...WORK, ...work })
}

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "assay-slurm-"))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return folder
}

describe("the text of a submission", () => {
  it("of a plain run is a script of sbatch inside a script of sh", async () => {
    expect(await render({ partition: "cpu", time: "2:00:00", memory: "2G", cpus: 1 })).toBe(`#!/bin/sh
# Submits the run helpdesk to Slurm. Run it with sh on a machine that has sbatch.
set -e
mkdir -p /shared/run/logs
script_0() { cat <<'END_OF_SCRIPT'
#!/bin/sh
#SBATCH --job-name=assay-helpdesk
#SBATCH --array=0-63%8
#SBATCH --ntasks=1
#SBATCH --requeue
#SBATCH --open-mode=append
#SBATCH --output=/shared/run/logs/%5a-%A.out
#SBATCH --partition=cpu
#SBATCH --time=2:00:00
#SBATCH --mem=2G
#SBATCH --cpus-per-task=1
shard=$SLURM_ARRAY_TASK_ID
echo "shard $shard: task \${SLURM_ARRAY_JOB_ID}_$SLURM_ARRAY_TASK_ID, start $((\${SLURM_RESTART_COUNT:-0} + 1)), on \${SLURMD_NODENAME:-?}"
exec assay eval shard /shared/run --index "$shard"
END_OF_SCRIPT
}
array_0=$(script_0 | sbatch --parsable --export=ALL)
echo "shards: job $array_0"
# When all of them have ended, compute the results with \`assay eval merge\`.
`)
  })

  it("of a run with everything has the missing shards, two arrays one after the other, and a merge", async () => {
    const profile: SlurmProfile = {
      account: "team",
      qos: "low",
      constraint: "cpu&fast",
      environment: { HF_HOME: "/scratch/it's" },
      pass_environment: ["OPENAI_API_KEY"],
      modules: ["nodejs/24"],
      setup: ["ulimit -n 4096"],
      sbatch_options: ["--nice=100"],
      log_folder: "/scratch/logs",
    }
    const work = { run: "s3://bucket/run", indexes: [3, 4, 9, 1001, 1050], atOnce: 2, merges: true }
    const text = await render(profile, { ...work, options: ["--key-host", "models.example"] })
    const before = `export HF_HOME='/scratch/it'\\''s'
if ! command -v module >/dev/null 2>&1; then
  for init in "\${MODULESHOME:-/}/init/sh" "\${LMOD_PKG:-/}/init/sh" /etc/profile.d/modules.sh /etc/profile.d/lmod.sh /usr/share/lmod/lmod/init/sh /usr/share/modules/init/sh; do
    if [ -r "$init" ]; then . "$init"; break; fi
  done
fi
module load nodejs/24 || exit
ulimit -n 4096
[ $? -eq 0 ] || exit 1
`
    const shared = `#SBATCH --account=team
#SBATCH --qos=low
#SBATCH "--constraint=cpu&fast"
#SBATCH --nice=100
`
    expect(text).toContain("# It takes these variables from the environment: OPENAI_API_KEY.\n")
    expect(text).toContain("#SBATCH --array=3-4,9%2\n")
    expect(text).toContain(
      `#SBATCH --output=/scratch/logs/%5a+1001-%A.out\n${shared}shard=$((SLURM_ARRAY_TASK_ID + 1001))\n`,
    )
    expect(text).toContain("#SBATCH --array=0,49\n")
    expect(text).toContain(
      `${before}exec assay eval shard s3://bucket/run --key-host models.example --index "$shard"\n`,
    )
    expect(text).toContain(
      `#SBATCH --output=/scratch/logs/merge-%j.out\n${shared}${before}exec assay eval merge s3://bucket/run --key-host models.example --resubmit 2\n`,
    )
    expect(text.match(/^\w+=\$\(\w.*$/gm)).toEqual([
      "array_0=$(script_0 | sbatch --parsable --export=ALL)",
      'array_1=$(script_1 | sbatch --parsable --export=ALL "--dependency=afterany:${array_0%%;*}" --kill-on-invalid-dep=yes)',
      'merge=$(merge_script | sbatch --parsable --export=ALL "--dependency=afterany:${array_0%%;*}:${array_1%%;*}" --kill-on-invalid-dep=yes)',
    ])
  })

  it("of a container runs the shards in it with the folder of the run, and submits nothing from inside it", async () => {
    const container = { image: "docker://example/assay:0.2", binds: ["/data:/data:ro"] }
    const text = await render({ container }, { merges: true })
    const inside = "exec apptainer exec --bind /shared/run --bind /data:/data:ro docker://example/assay:0.2 assay eval"
    expect(text).toContain(`${inside} shard /shared/run --index "$shard"\n`)
    expect(text).toContain(`${inside} merge /shared/run\n`)
  })

  it.each([
    ["/shared/a\nb", {}],
    ["/shared/hetjob", {}],
    [String.raw`/shared/a\b`, {}],
    ["/shared/a,b", { container: { image: "a" } }],
  ])("of the run %j is refused, because no quoting makes it safe", async (run, profile) => {
    await expect(render(profile, { run })).rejects.toMatchObject({ code: "bad_usage" })
  })

  it("passes names that look like commands to sbatch and to assay as they are", async () => {
    const folder = temporaryFolder()
    const run = join(folder, `a b'c$(touch hacked)"d%e#`)
    const program = join(folder, "print words")
    writeFileSync(program, '#!/bin/sh\nprintf "%s\\n" "$@"\n', { mode: 0o755 })
    mkdirSync(join(folder, "bin"))
    // A stand-in for sbatch: keeps its arguments and the script.
    const sbatch = join(folder, "bin", "sbatch")
    writeFileSync(sbatch, `#!/bin/sh\necho "$@" >>"$OUT/arguments"\ncat >"$OUT/script"\necho '77;gpu'\n`)
    chmodSync(sbatch, 0o755)
    const value = `x'y$(touch hacked)"z\`touch hacked\``
    const words = ["--key-host", "h'$(touch hacked)"]
    const text = await render({ environment: { A: value } }, { run, program: [program], options: words, indexes: [5] })
    const env = { PATH: `${join(folder, "bin")}:/usr/bin:/bin`, OUT: folder }
    const submitted = spawnSync("sh", ["-c", text], { cwd: folder, env, encoding: "utf8" })
    expect([submitted.status, submitted.stdout, submitted.stderr]).toEqual([0, "shards: job 77;gpu\n", ""])
    expect(readFileSync(join(folder, "arguments"), "utf8")).toBe("--parsable --export=ALL\n")
    const script = readFileSync(join(folder, "script"), "utf8")
    expect(script).toContain(
      `#SBATCH "--output=${run.replace("%", "%%").replace('"', String.raw`\"`)}/logs/%5a-%A.out"\n`,
    )
    const task = { ...env, SLURM_ARRAY_TASK_ID: "5", SLURM_ARRAY_JOB_ID: "77" }
    const ran = spawnSync("sh", [], {
      cwd: folder,
      env: task,
      input: script.replace("exec ", 'echo "$A"\nexec '),
      encoding: "utf8",
    })
    expect(ran.stdout.split("\n").slice(1)).toEqual([value, "eval", "shard", run, ...words, "--index", "5", ""])
    expect(() => readFileSync(join(folder, "hacked"))).toThrow("ENOENT")
  })

  it("ends a script of sbatch with a line that the script does not contain", async () => {
    const text = await render({ setup: ["END_OF_SCRIPT", "touch hacked"] })
    expect(text).toContain("cat <<'END_OF_SCRIPT_'\n")
    expect(text).toContain("\nEND_OF_SCRIPT\ntouch hacked\n")
  })
})
