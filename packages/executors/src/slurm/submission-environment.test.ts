import { describe, expect, it } from "vitest"
import { clientEnvironment, submissionEnvironment } from "./submission-environment.ts"

const ENV = {
  PATH: "/bin",
  HOME: "/folder",
  MODULEPATH: "/modules",
  "BASH_FUNC_module%%": "() { :; }",
  SLURM_CONF: "/etc/slurm.conf",
  SLURM_JOB_ID: "7",
  SLURM_MEM_PER_CPU: "1",
  SLURM_ARRAY_TASK_ID: "3",
  SBATCH_ACCOUNT: "team",
  SBATCH_EXPORT: "NONE",
  SBATCH_ARRAY_INX: "0-9",
  SQUEUE_FORMAT: "%i",
  OPENAI_API_KEY: "sk-1",
  OTHER_KEY: "sk-2",
}

describe("variables of a submission", () => {
  it("are all of the environment, without those of a job around it and those that replace lines of the script", () => {
    const left = /^(SLURM_JOB_ID|SLURM_MEM_PER_CPU|SLURM_ARRAY_TASK_ID|SBATCH_EXPORT|SBATCH_ARRAY_INX|SQUEUE_FORMAT)$/
    const kept = Object.fromEntries(Object.entries(ENV).filter(([name]) => !left.test(name)))
    expect(clientEnvironment(ENV)).toEqual(kept)
    expect(submissionEnvironment(ENV, {})).toEqual(kept)
  })

  it("are those that the profile names, and those that shells, modules and sbatch need", () => {
    expect(Object.keys(submissionEnvironment(ENV, { pass_environment: ["OPENAI_API_KEY"] })).toSorted()).toEqual([
      "BASH_FUNC_module%%",
      "HOME",
      "MODULEPATH",
      "OPENAI_API_KEY",
      "PATH",
      "SBATCH_ACCOUNT",
      "SLURM_CONF",
    ])
  })

  it("do not replace keys of the profile", () => {
    expect(submissionEnvironment(ENV, { partition: "cpu" })).toHaveProperty("SBATCH_ACCOUNT", "team")
    expect(submissionEnvironment(ENV, { account: "other" })).not.toHaveProperty("SBATCH_ACCOUNT")
  })

  it("a variable of the profile that is not set is an error that names it", () => {
    expect(() => submissionEnvironment(ENV, { pass_environment: ["OPENAI_API_KEY", "HF_TOKEN"] })).toThrow(
      "`pass_environment` of the Slurm profile names HF_TOKEN, which is not set here: set it, and submit again.",
    )
  })
})
