import { type Static, Type } from "@sinclair/typebox"
import { boundText, printable } from "@assay/schemas"

/** A text of one line. A line break would add lines to the script, and could begin a directive of Slurm. */
const LINE = String.raw`^[^\u0000-\u001f\u007f-\u009f\u2028\u2029]*$`
/** Names of partitions, accounts and classes of service, several with commas. */
const NAMES = String.raw`^[\w.@:+][\w.@:+,/-]*$`
const VARIABLE = "^[A-Za-z_][A-Za-z0-9_]{0,254}$"

const line = (description: string) => Type.String({ pattern: LINE, minLength: 1, maxLength: 4096, description })
const names = (description: string) => Type.String({ pattern: NAMES, maxLength: 1024, description })

/** How a cluster runs the shards of a job. Every key is optional: Slurm then uses the default of the cluster. */
export const SlurmProfile = Type.Object(
  {
    partition: Type.Optional(names("Partition, or several with commas (`--partition`).")),
    account: Type.Optional(names("Account that is charged (`--account`).")),
    qos: Type.Optional(names("Quality of service (`--qos`).")),
    time: Type.Optional(
      Type.Union(
        [Type.Integer({ minimum: 1 }), Type.String({ pattern: String.raw`^(\d{1,6}-)?\d{1,8}(:\d{1,2}){0,2}$` })],
        {
          description: "Time limit of a shard, such as 45 (minutes), 2:00:00 or 1-12 (`--time`).",
        },
      ),
    ),
    constraint: Type.Optional(line("Features of the nodes, such as `cpu&icelake` (`--constraint`).")),
    memory: Type.Optional(
      Type.Union([Type.Integer({ minimum: 1 }), Type.String({ pattern: String.raw`^\d{1,12}[KMGT]?$` })], {
        description: "Memory of a shard, such as 4G or 4096 (MiB) (`--mem`).",
      }),
    ),
    cpus: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 65_536, description: "Processors of a shard (`--cpus-per-task`)." }),
    ),
    environment: Type.Optional(
      Type.Record(Type.String({ pattern: VARIABLE }), Type.String({ pattern: LINE, maxLength: 32_768 }), {
        additionalProperties: false,
        maxProperties: 200,
        description: "Variables that are written into the script. Never a secret: name it in `pass_environment`.",
      }),
    ),
    pass_environment: Type.Optional(
      Type.Array(Type.String({ pattern: VARIABLE }), {
        maxItems: 200,
        description:
          "Variables, such as keys, that have to be set where the job is submitted. Only they, and those that shells, modules and sbatch need, reach the nodes. Absent: all variables, which is the default of sbatch.",
      }),
    ),
    modules: Type.Optional(
      Type.Array(Type.String({ pattern: String.raw`^[\w.][\w./+@:=-]*$`, maxLength: 512 }), {
        maxItems: 100,
        description: "Modules to load, such as `nodejs/24`.",
      }),
    ),
    container: Type.Optional(
      Type.Object(
        {
          image: line("Image, such as `docker://ghcr.io/assay/assay:0.2` or the absolute path of a .sif file."),
          command: Type.Optional(
            Type.Union([Type.Literal("apptainer"), Type.Literal("singularity")], {
              description: "Program that runs it. Default: apptainer.",
            }),
          ),
          binds: Type.Optional(
            Type.Array(line("Path, or `outside:inside[:ro]`."), {
              maxItems: 100,
              description: "Folders that the container sees, in addition to the folder of the run.",
            }),
          ),
        },
        { additionalProperties: false, description: "Runs `assay` in a container." },
      ),
    ),
    setup: Type.Optional(
      Type.Array(Type.String({ pattern: LINE, maxLength: 16_384 }), {
        maxItems: 200,
        description: "Lines of sh that run before `assay`, as they are written. The script ends if the last one fails.",
      }),
    ),
    sbatch_options: Type.Optional(
      Type.Array(Type.String({ pattern: String.raw`^-[^\u0000-\u001f\u007f-\u009f\u2028\u2029]+$`, maxLength: 4096 }), {
        maxItems: 100,
        description: "Further options of sbatch, one an item, such as `--gres=gpu:1`.",
      }),
    ),
    log_folder: Type.Optional(
      Type.String({
        pattern: String.raw`^/[^\u0000-\u001f\u007f-\u009f\u2028\u2029\\]*$`,
        maxLength: 4096,
        description:
          "Absolute path of the folder of the output files, on a file system that the nodes share. Default: `logs` in the folder of the run.",
      }),
    ),
  },
  { additionalProperties: false },
)
export type SlurmProfile = Static<typeof SlurmProfile>

/** Options that the executor sets, or that would end what it relies on. */
const OWN_OPTIONS =
  "array dependency error export export-file help input job-name kill-on-invalid-dep no-requeue open-mode output parsable quiet requeue test-only usage version wait wrap".split(
    " ",
  )
const OWN_LETTERS = /^-[adehioJQVW]/

/** Returns whether sbatch reads an option as one of the executor's. It accepts the beginning of a long name. */
function isOwnOption(option: string): boolean {
  const [, name] = /^--([^=]*)/.exec(option) ?? []
  return name === undefined ? OWN_LETTERS.test(option) : OWN_OPTIONS.some((own) => own.startsWith(name))
}

/** The end of a name that is usually one of a secret. */
const SECRET_NAME = /(?:^|_)(?:KEY|TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIALS?)$/i

/** Returns what is wrong with a profile that the schema accepts. Undefined: nothing. */
export function findProfileFault({
  environment = {},
  sbatch_options: options = [],
}: SlurmProfile): { readonly key: string; readonly message: string } | undefined {
  const secret = Object.keys(environment).find((name) => SECRET_NAME.test(name))
  if (secret !== undefined) {
    const message = `The name of ${shown(secret)} is that of a secret, and the script would contain its value: name it in 'pass_environment' instead.`
    return { key: "environment", message }
  }
  const own = options.find(isOwnOption)
  if (own === undefined) return undefined
  return { key: "sbatch_options", message: `Assay sets the option '${shown(own)}' itself: remove it.` }
}

function shown(text: string): string {
  return printable(boundText(text, 200))
}
