import { fromEngineValue, type PartialOriginals } from "../engine/convert-values.ts"
import type { EngineValue, TemplateScope } from "../engine/template-engine.ts"
import { describeData } from "../faults/describe-data.ts"
import { nearestName } from "../faults/nearest-name.ts"
import { TemplateFailure } from "../faults/template-fault.ts"
import type { InspectedNode } from "./run-program.ts"
import { isPythonCallable } from "../syntax/engine-gaps.ts"
import { writtenKey } from "../syntax/node-names.ts"
import { nameOf, propertyOf, type SyntaxNode } from "../syntax/syntax-node.ts"

const MAX_NAMES = 20
/** Longer names are cut in messages. */
const MAX_NAME = 100

export interface MissingReadOptions {
  /** The names that the template was rendered with. */
  readonly given: readonly string[]
  /** The names that exist in every template. */
  readonly globals: ReadonlySet<string>
  readonly originals: PartialOriginals
}

/** Creates the failure for a missing name or property, with the existing names and the most similar one. */
export function missingRead(
  node: SyntaxNode,
  { scope, evaluate }: InspectedNode,
  { given, globals, originals, isCalled }: MissingReadOptions & { readonly isCalled: boolean },
): TemplateFailure {
  const read = `reads \`${shortened(formatNode(node))}\`, which is not there`
  if (isCalled && isPythonCallable(node)) {
    return new TemplateFailure(
      `calls \`${shortened(formatNode(node))}\`, which Jinja in Python has and the engine here has not`,
    )
  }
  const name = nameOf(node)
  if (name !== undefined) {
    const names = [...new Set([...given, ...namesIn(scope)])].filter((other) => other !== name && !globals.has(other))
    return new TemplateFailure(`${read}${suggestion(name, names)}; there is: ${listed(names)}`)
  }
  const object = propertyOf(node, "object") as SyntaxNode
  const owner = evaluate(object, scope)
  const owned = `\`${shortened(formatNode(object))}\``
  const names = owner === undefined ? undefined : keysOf(owner, originals)
  if (names === undefined) return new TemplateFailure(`${read}; ${owned} is ${describeOwner(owner)}`)
  return new TemplateFailure(`${read}${suggestion(writtenKey(node), names)}; ${owned} has: ${listed(names)}`)
}

function namesIn(scope: TemplateScope | undefined): readonly string[] {
  return scope === undefined ? [] : [...scope.variables.keys(), ...namesIn(scope.parent)]
}

function keysOf(owner: EngineValue, originals: PartialOriginals): readonly string[] | undefined {
  const original = originals.get(owner)
  if (original !== undefined) return Object.keys(original)
  return owner.value instanceof Map ? [...(owner.value as ReadonlyMap<string, unknown>).keys()] : undefined
}

function describeOwner(owner: EngineValue | undefined): string {
  if (owner?.type === "FunctionValue") return "a function"
  return owner?.type === "UndefinedValue" ? "not there" : describeData(fromEngineValue(owner))
}

function listed(names: readonly string[]): string {
  if (names.length === 0) return "nothing"
  const rest = names.length - MAX_NAMES
  return names.slice(0, MAX_NAMES).map(shortened).join(", ") + (rest > 0 ? `, and ${rest} more` : "")
}

/** Cuts a name. Names can have any length, and each row has its own error. */
function shortened(text: string): string {
  return text.length > MAX_NAME ? `${text.slice(0, MAX_NAME)}…`.toWellFormed() : text
}

function suggestion(name: string | undefined, names: readonly string[]): string {
  const near = name === undefined ? undefined : nearestName(name, names)
  return near === undefined ? "" : ` (did you mean \`${near}\`?)`
}

/** Formats a node as in the source of a template, with `…` for computed parts. */
function formatNode(node: SyntaxNode): string {
  const name = nameOf(node)
  if (name !== undefined) return name
  switch (node.type) {
    case "MemberExpression": {
      const object = formatNode(propertyOf(node, "object") as SyntaxNode)
      const property = formatNode(propertyOf(node, "property") as SyntaxNode)
      return propertyOf(node, "computed") === true ? `${object}[${property}]` : `${object}.${property}`
    }
    case "CallExpression":
      return `${formatNode(propertyOf(node, "callee") as SyntaxNode)}(…)`
    case "IntegerLiteral":
    case "StringLiteral":
      return JSON.stringify(propertyOf(node, "value"))
    default:
      return "…"
  }
}
