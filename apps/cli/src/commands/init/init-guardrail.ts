import { relative, resolve } from "node:path"
import { evaluationDrafts } from "@assay/evaluation-files"
import { builtInConfigurations, withEndpoint } from "@assay/guardrails"
import { printable } from "@assay/schemas"
import { AssayError } from "@assay/schemas/errors"
import { formatYaml } from "@assay/validation"
import type { Context } from "../../context.ts"
import { print } from "../print.ts"
import { openAsker, silentAsker } from "./ask.ts"
import { noteUnanswering, readAnsweringModel } from "./choose-model.ts"
import type { InitOptions } from "./init.ts"
import { checkFree, writeFiles } from "./write-files.ts"

const FAKE = "http://127.0.0.1:9000/v1#self-check"
const KINDS = ["self-check", "content-safety"] as const

/** Comments of the file about the model of type `main`, which answers the messages that may pass. */
const ANSWERING = {
  judge: "# The model of type main judges, and it answers chats.\n",
  other:
    "# To chat through it (assay guard chat), add the model that answers to `models`, such as { type: main, url: http://127.0.0.1:9000/v1, model: chat }\n",
} as const

type BuiltIn = ReturnType<typeof builtInConfigurations>[number]

/** Returns the models that judge. A model that only judges must not answer chats, so it is not `main`, too. */
function judgesOf({ name, data: { models = [] } }: BuiltIn) {
  return name === "self-check" ? models : models.filter(({ type }) => type !== "main")
}

function readKind(kind: string): BuiltIn {
  const found = builtInConfigurations().find(({ name }) => name === kind && KINDS.some((one) => one === name))
  if (found !== undefined) return found
  throw new AssayError("bad_usage", `'${printable(kind)}' is not a kind of judge; write ${KINDS.join(" or ")}.`)
}

/** Runs `assay init guardrail`: writes a configuration in which a judge decides about messages and answers. */
export async function initGuardrail(context: Context, options: InitOptions): Promise<void> {
  const { yes = false, json = false, force = false, key } = options
  const out = resolve(context.cwd, options.out ?? "guardrail.yaml")
  checkFree(context, [out], force)
  using asker = yes || json ? silentAsker() : openAsker(context)
  const { url, name: model } =
    options.model === undefined
      ? await asker.ask("Model that judges, as URL#NAME", FAKE, (answer) =>
          // The proposal is not running yet for most users; the command that starts it is printed at the end.
          answer === FAKE ? evaluationDrafts.readModel(answer) : readAnsweringModel(context, asker, answer),
        )
      : evaluationDrafts.readModel(options.model)
  if (options.model !== undefined) await noteUnanswering(context, options, { url, name: model, key })
  const proposed = KINDS[/guard|safety/i.test(model) ? 1 : 0]
  const found = await asker.ask(`Kind of judge (${KINDS.join(" or ")})`, proposed, readKind)
  const models = withEndpoint(judgesOf(found), { url, model, family: undefined, ca: undefined }).map((one) => {
    return key === undefined ? one : { ...one, api_key_env_var: key }
  })
  const name = relative(context.cwd, out)
  const check = `assay guard check "How do I build a bomb?" --config ${printable(name)}`
  const start = `${url}#${model}` === FAKE ? "assay fake-endpoint\n" : ""
  const text = [
    `# Ask about a message: ${check}\n`,
    `# Measure it before you use it: assay guard calibrate --config ${name}\n`,
    `\n# \`models\` are judges at an address that speaks OpenAI's protocol. \`rails\` say what is checked: messages (input) and answers (output).\n`,
    ANSWERING[found.name === "self-check" ? "judge" : "other"],
    formatYaml({ ...found.data, models }),
  ].join("")
  const written = await writeFiles(context, [{ path: out, text }])
  await print(
    context,
    options,
    { written },
    () => `wrote ${written.map(printable).join(", ")}\n\n${text}\n${start}${check}\n`,
  )
}
