import { childrenOf, nameOf, type SyntaxNode } from "../../syntax/syntax-node.ts"
import { labelsOf } from "../../syntax/node-names.ts"
import {
  type CallArguments,
  fail,
  type PythonFunction,
  type PythonValue,
  tuple,
  undefinedValue,
} from "../values/python-value.ts"
import { evaluate } from "./evaluate.ts"
import { nameIn, nodeIn, nodesIn, type ParsedNode, type Scope, scopeIn, type TemplateRun } from "./template-run.ts"

/** Creates the function of a macro. Its body sees the scope that defines it, with the values at the time of the call. */
export function macroOf(node: ParsedNode, scope: Scope, run: TemplateRun): PythonFunction {
  const parameters = nodesIn(node, "args").map((parameter) =>
    parameter.type === "Identifier"
      ? { name: String(parameter["value"]), value: undefined }
      : { name: nameIn(parameter, "key"), value: nodeIn(parameter, "value") },
  )
  const body = nodesIn(node, "body")
  const uses = (name: string) => body.some((part) => readsName(part, name))
  const takesMore = { varargs: uses("varargs"), kwargs: uses("kwargs") }
  const takesCaller = uses("caller") && !parameters.some(({ name }) => name === "caller")

  function call({ positional, named }: CallArguments): PythonValue {
    const inner = scopeIn(scope)
    const rest = new Map(named)
    const caller = rest.get("caller")
    if (caller !== undefined && takesCaller) {
      rest.delete("caller")
      inner.names.set("caller", caller)
    }
    for (const [index, { name }] of parameters.entries()) {
      const value = index < positional.length ? positional[index] : rest.get(name)
      if (value !== undefined) inner.names.set(name, value)
      if (index >= positional.length) rest.delete(name)
    }
    if (rest.size > 0 && !takesMore.kwargs) fail(`a macro takes no argument '${[...rest.keys()][0]}'`)
    if (positional.length > parameters.length && !takesMore.varargs) {
      fail(`a macro takes not more than ${parameters.length} arguments`)
    }
    if (takesMore.kwargs) inner.names.set("kwargs", rest)
    if (takesMore.varargs) inner.names.set("varargs", tuple(...positional.slice(parameters.length)))
    const missing = parameters.filter(({ name }) => !inner.names.has(name))
    for (const { name } of missing) inner.names.set(name, undefinedValue(`parameter '${name}' was not provided`))
    for (const { name, value } of missing) if (value !== undefined) inner.names.set(name, evaluate(value, inner, run))
    return run.render(body, inner)
  }

  return { kind: "function", call }
}

function readsName(node: SyntaxNode, name: string): boolean {
  if (nameOf(node) === name) return true
  const labels = labelsOf(node)
  return childrenOf(node).some((child) => !labels.includes(child) && readsName(child, name))
}
