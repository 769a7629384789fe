import { checkSize } from "../values/bounds.ts"
import { pythonText } from "../values/python-text.ts"
import { fail, isKind, isTrue, iterate, type PythonValue } from "../values/python-value.ts"
import { argumentsOf, callValue, evaluate } from "./evaluate.ts"
import { loopObject } from "./loop-object.ts"
import { macroOf } from "./macro.ts"
import {
  lookUp,
  nodeIn,
  nodesIn,
  nameIn,
  type ParsedNode,
  type Scope,
  scopeIn,
  type TemplateRun,
} from "./template-run.ts"

/** The statement that ends the body of a loop early. */
type Ending = "break" | "continue" | undefined

/** Renders nodes in a scope of their own. @throws TemplateFailure */
export function renderNodes(nodes: readonly ParsedNode[], scope: Scope, run: TemplateRun): string {
  const to = createExecution(run)
  execute(nodes, scopeIn(scope), to)
  return to.output.join("")
}

interface Execution {
  readonly run: TemplateRun
  readonly output: string[]
  /** The number of characters in `output`. */
  size: number
}

function createExecution(run: TemplateRun): Execution {
  return { run, output: [], size: 0 }
}

/** Adds the text of a value to the output. @throws TemplateFailure if the output is too long */
function write(value: PythonValue, to: Execution): void {
  const text = pythonText(value)
  to.size += text.length
  checkSize(to.size)
  to.output.push(text)
}

/** Executes nodes in a scope, and adds their text to the output. */
function execute(nodes: readonly ParsedNode[], scope: Scope, to: Execution): Ending {
  for (const node of nodes) {
    const ending = executeNode(node, scope, to)
    if (ending !== undefined) return ending
  }
  return undefined
}

function executeNode(node: ParsedNode, scope: Scope, to: Execution): Ending {
  const { run } = to
  try {
    switch (node.type) {
      case "Break":
        return "break"
      case "Continue":
        return "continue"
      case "If": {
        const isMet = isTrue(evaluate(nodeIn(node, "test"), scope, run))
        return execute(nodesIn(node, isMet ? "body" : "alternate"), scope, to)
      }
      case "For":
        executeLoop({ node, scope, to }, evaluate(sourceOf(node), scope, run), 0)
        return undefined
      case "Set":
        assign(nodeIn(node, "assignee"), evaluate(nodeIn(node, "value"), scope, run), scope)
        return undefined
      case "Macro":
        scope.names.set(nameIn(node, "name"), macroOf(node, scope, run))
        return undefined
      case "CallStatement":
        write(callWithCaller(node, scope, run), to)
        return undefined
      case "With":
        return executeWith(node, scope, to)
      case "Scope":
        return execute(nodesIn(node, "body"), scopeIn(scope), to)
      default:
        write(evaluate(node, scope, run), to)
        return undefined
    }
  } catch (error) {
    if (run.failure?.error !== error) run.failure = { error, node }
    throw error
  }
}

function executeWith(node: ParsedNode, scope: Scope, to: Execution): Ending {
  const inner = scopeIn(scope)
  const values = nodesIn(node, "values").map((value) => evaluate(value, scope, to.run))
  for (const [index, target] of nodesIn(node, "targets").entries()) assign(target, values[index] ?? null, inner)
  return execute(nodesIn(node, "body"), inner, to)
}

function callWithCaller(node: ParsedNode, scope: Scope, run: TemplateRun): PythonValue {
  const call = nodeIn(node, "call")
  const caller = macroOf({ ...node, args: node["callerArgs"] }, scope, run)
  const { positional, named } = argumentsOf(nodesIn(call, "args"), scope, run)
  return callValue(evaluate(nodeIn(call, "callee"), scope, run), {
    positional,
    named: new Map([...named, ["caller", caller]]),
  })
}

/** Assigns a value to a name, to several names, or to an attribute of a namespace. */
function assign(target: ParsedNode, value: PythonValue, scope: Scope): void {
  if (target.type === "Identifier") {
    scope.names.set(String(target["value"]), value)
    return
  }
  if (target.type === "MemberExpression") {
    const name = nameIn(target, "object")
    const object = lookUp(name, scope) ?? null
    const set = isKind(object, "object") ? object.setAttribute : undefined
    if (set === undefined) fail(`cannot assign attribute on non-namespace object '${name}'`)
    else set(nameIn(target, "property"), value)
    return
  }
  const targets = nodesIn(target, "value")
  const values = [...iterate(value)]
  if (values.length !== targets.length) {
    fail(
      `too ${values.length < targets.length ? "few" : "many"} values to unpack: ${values.length} for ${targets.length} names`,
    )
  }
  for (const [index, part] of targets.entries()) assign(part, values[index] ?? null, scope)
}

/** Returns the expression that a loop goes through, without its condition. */
function sourceOf(loop: ParsedNode): ParsedNode {
  const iterable = nodeIn(loop, "iterable")
  return loop["isFiltered"] === true ? nodeIn(iterable, "lhs") : iterable
}

interface Loop {
  readonly node: ParsedNode
  readonly scope: Scope
  readonly to: Execution
}

/** Executes a loop. Each iteration has a scope of its own, so names that it sets are gone in the next one. */
function executeLoop(loop: Loop, iterable: PythonValue, depth: number): void {
  const { node, scope, to } = loop
  const items = selectItems(loop, iterable)
  const recurse = (inner: PythonValue) => {
    const below = createExecution(to.run)
    executeLoop({ node, scope, to: below }, inner, depth + 1)
    return below.output.join("")
  }
  const { object, moveTo } = loopObject(items, { depth, recurse: node["isRecursive"] === true ? recurse : undefined })
  for (const [index, item] of items.entries()) {
    moveTo(index)
    const inner = scopeIn(scope, [["loop", object]])
    assign(nodeIn(node, "loopvar"), item, inner)
    if (execute(nodesIn(node, "body"), inner, to) === "break") return
  }
  if (items.length === 0) execute(nodesIn(node, "defaultBlock"), scopeIn(scope), to)
}

/** Returns the items of a loop that its condition selects. */
function selectItems({ node, scope, to }: Loop, iterable: PythonValue): readonly PythonValue[] {
  const items = [...iterate(iterable)]
  checkSize(items.length)
  if (node["isFiltered"] !== true) return items
  const condition = nodeIn(nodeIn(node, "iterable"), "test")
  return items.filter((item) => {
    const inner = scopeIn(scope)
    assign(nodeIn(node, "loopvar"), item, inner)
    return isTrue(evaluate(condition, inner, to.run))
  })
}
