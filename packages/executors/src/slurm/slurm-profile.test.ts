import { readFileSync } from "node:fs"
import { describe, expect, it } from "vitest"
import { parse } from "yaml"
import { profileOfRun } from "../profiles/read-profile.ts"

const messageOf = async (values: object): Promise<string> => {
  try {
    await profileOfRun({ executor: "slurm", name: undefined, values })
  } catch (error) {
    return error instanceof Error ? error.message : ""
  }
  return "accepted"
}

describe("a Slurm profile", () => {
  it("is accepted with all of its keys, and with none", async () => {
    expect(await messageOf({})).toBe("accepted")
    // A file of YAML has numbers.
    expect(await messageOf({ time: 45, memory: 4096 })).toBe("accepted")
    const profile = {
      partition: "cpu,long",
      account: "team-1",
      qos: "normal",
      time: "1-02:30:00",
      constraint: "cpu&(a|b)",
      memory: "4G",
      cpus: 2,
      environment: { HF_HOME: "/scratch/a b", TOKENIZERS_PARALLELISM: "false" },
      pass_environment: ["OPENAI_API_KEY"],
      modules: ["nodejs/24.1"],
      container: { image: "docker://example/assay:0.2", command: "singularity", binds: ["/data:/data:ro"] },
      setup: ["ulimit -n 4096"],
      sbatch_options: ["--gres=gpu:1", "-C intel", "--nice", "--wait-all-nodes=0"],
      log_folder: "/scratch/logs",
    }
    expect(await messageOf(profile)).toBe("accepted")
  })

  it("of the guide is accepted, without the keys that all executors have", async () => {
    const guide = readFileSync(new URL("../../../../docs/guides/schedulers.md", import.meta.url), "utf8")
    const [, section = ""] = guide.split("\n## Slurm\n")
    const [first = "", second = ""] = [...section.matchAll(/```yaml\n([^]*?)```/g)].map(([, text = ""]) => text)
    const { profiles } = parse(first) as { readonly profiles: Readonly<Record<string, Record<string, unknown>>> }
    const { executor, program, shards, at_once, retries, ...own } = profiles["cluster"] ?? {}
    expect([executor, program, shards, at_once, retries]).not.toContain(undefined)
    expect(await messageOf({ ...own, ...(parse(second) as object) })).toBe("accepted")
    expect(await messageOf({ ...own, partiton: "cpu" })).toContain("Unknown field 'partiton'")
  })

  it.each([
    ["partition", "cpu\n#SBATCH --uid=0"],
    ["account", "a b"],
    ["qos", "-x"],
    ["time", "1:00\n"],
    ["time", "tomorrow"],
    ["constraint", "a\nb"],
    ["memory", "4 GB"],
    ["cpus", 0],
    ["time", 0],
    ["environment", { A: "1\nrm -rf /" }],
    ["environment", { "A B": "1" }],
    ["environment", { "A=$(x)": "1" }],
    ["pass_environment", ["A,B=1"]],
    ["modules", ["a; rm -rf /"]],
    ["modules", ["-x"]],
    ["container", { image: "a\nb" }],
    ["container", { image: "a", privileged: true }],
    ["container", { image: "a", command: "docker" }],
    ["setup", ["a\nb"]],
    ["sbatch_options", ["--gres=gpu\n#SBATCH --uid=0"]],
    ["sbatch_options", ["script.sh"]],
    ["log_folder", "logs"],
    ["log_folder", String.raw`/a\b`],
    ["prolog", "x"],
  ])("with the %s %j is refused, with the key", async (key, value) => {
    expect(await messageOf({ [key]: value })).toMatch(new RegExp(`^The stored profile of the run: '${key}.*': .+[.?]$`))
    expect(await messageOf({ [key]: value })).not.toMatch(/[\n\r]/)
  })

  it.each(["--array=0-9", "-a0-9", "--arr=1", "--output=x", "--export=NONE", "-d singleton", "--wrap=x", "--", "-W"])(
    "with the option %s is refused, because the executor sets it",
    async (option) => {
      expect(await messageOf({ sbatch_options: [option] })).toContain("Assay sets the option")
    },
  )

  it.each(["OPENAI_API_KEY", "HF_TOKEN", "AWS_SECRET_ACCESS_KEY", "DB_PASSWORD"])(
    "with the value of %s is refused, and the message does not contain it",
    async (name) => {
      const message = await messageOf({ environment: { [name]: "sk-12345" } })
      expect(message).toContain("name it in 'pass_environment' instead")
      expect(message).not.toContain("sk-12345")
    },
  )

  it("with a wrong value is refused with what the key means", async () => {
    expect(await messageOf({ memory: "4 GB" })).toMatch(/^.*'memory': Must match .*\. Memory of a shard, such as 4G or/)
  })

  it("with a key at a wrong place is refused without showing it", async () => {
    expect(await messageOf({ pass_environment: ["A=sk-12345"] })).not.toMatch(/sk-12345|accepted/)
    expect(await messageOf({ environment: { A: "sk-12345\n" } })).not.toMatch(/sk-12345|accepted/)
    expect(await messageOf({ setup: ["export A=sk-12345\n"] })).not.toMatch(/sk-12345|accepted/)
  })
})
