import type { Command } from "commander"
import type { Bind } from "../action.ts"
import { addCommand, addGroup } from "../add-command.ts"
import type { ConfigurationKind } from "./open-configurations.ts"

/** The name of a kind of stored configuration, and the files that it takes. */
interface Texts {
  readonly one: string
  readonly many: string
  readonly file: string
  readonly example: string
}

const TEXTS: Readonly<Record<ConfigurationKind, Texts>> = {
  "guard config": {
    one: "a guardrail configuration",
    many: "guardrail configurations",
    file: "FILE is what --config of 'guard check' takes: JSON, YAML, or the config.yml or folder of NeMo Guardrails.",
    example: "strict.json",
  },
  "eval target": {
    one: "an evaluation target",
    many: "evaluation targets",
    file: "FILE is JSON or YAML with a target, or an evaluation file, whose 'target' is taken.",
    example: "eval.yaml",
  },
  "eval config": {
    one: "an evaluation configuration",
    many: "evaluation configurations",
    file: "FILE is JSON or YAML with a configuration, or an evaluation file, whose 'config' is taken. Its rows are in filesets.",
    example: "config.yaml",
  },
}

const NAME = "NAME is in the workspace of ASSAY_WORKSPACE, or workspace/name."

/** Declares `create|list|get|delete` of configurations that a server stores, such as `guard config create`. */
export function addConfigurationCommands(parent: Command, bind: Bind, kind: ConfigurationKind): void {
  const { one, many, file, example } = TEXTS[kind]
  const group = addGroup(parent, kind.split(" ")[1] ?? kind, {
    summary: "create, list, get, delete",
    description: `Stored ${many}: jobs and requests name them.`,
    examples: [`assay ${kind} create strict ${example}`],
  })
  addCommand(group, "create <name> <file>", {
    summary: `store ${one} on the server`,
    details: `${file} ${NAME}`,
    examples: [`assay ${kind} create strict ${example}`, `assay ${kind} create research/strict ${example} --force`],
  })
    .option("--force", "replace the one that is there")
    .action(bind(async () => (await import("./manage-configurations.ts")).manageConfigurations(kind).create))
  addCommand(group, "list", {
    summary: `list the ${many} of a workspace`,
    examples: [`assay ${kind} list`, `assay ${kind} list --workspace research --json`],
  })
    .option("-w, --workspace <name>", "workspace")
    .action(bind(async () => (await import("./manage-configurations.ts")).manageConfigurations(kind).list))
  addCommand(group, "get <name>", {
    summary: `print ${one} as JSON`,
    details: NAME,
    examples: [`assay ${kind} get strict`],
  }).action(bind(async () => (await import("./manage-configurations.ts")).manageConfigurations(kind).get))
  addCommand(group, "delete <name>", {
    summary: `delete ${one}`,
    details: NAME,
    examples: [`assay ${kind} delete strict --yes`],
  })
    .option("-y, --yes", "delete without asking")
    .action(bind(async () => (await import("./manage-configurations.ts")).manageConfigurations(kind).delete))
}
