import { applyFilter, applyTest } from "../filters/apply-filter.ts"
import { getAttribute, getItem, getSlice } from "../methods/attribute-access.ts"
import { textMethod } from "../methods/text-method.ts"
import {
  type CallArguments,
  dictKey,
  fail,
  isDict,
  isKind,
  isTrue,
  isUndefined,
  iterate,
  type PythonValue,
  tuple,
  typeName,
  undefinedValue,
  valueOr,
  withoutMarkup,
} from "../values/python-value.ts"
import { pythonText } from "../values/python-text.ts"
import { operate, sign } from "./operators.ts"
import { lookUp, nameIn, nodeIn, nodesIn, type ParsedNode, type Scope, type TemplateRun } from "./template-run.ts"

/** Evaluates an expression. @throws TemplateFailure */
export function evaluate(node: ParsedNode, scope: Scope, run: TemplateRun): PythonValue {
  try {
    return valueOf(node, scope, run)
  } catch (error) {
    if (run.failure?.error !== error) run.failure = { error, node }
    throw error
  }
}

function valueOf(node: ParsedNode, scope: Scope, run: TemplateRun): PythonValue {
  const part = (property: string) => evaluate(nodeIn(node, property), scope, run)
  switch (node.type) {
    case "Constant":
    case "StringLiteral":
    case "IntegerLiteral":
    case "FloatLiteral":
      return node["value"] as PythonValue
    case "Identifier": {
      const name = String(node["value"])
      return valueOr(lookUp(name, scope), () => undefinedValue(`'${name}' is undefined`))
    }
    case "MemberExpression":
      return memberOf(node, scope, run)
    case "CallExpression":
      return callOf(node, scope, run)
    case "FilterExpression":
      return filtered(node, scope, run)
    case "TestExpression": {
      const args = argumentsOf(nodesIn(node, "args"), scope, run)
      return applyTest(nameIn(node, "test"), part("operand"), args) !== (node["negate"] === true)
    }
    case "UnaryExpression": {
      const operator = nameIn(node, "operator")
      return operator === "not" ? !isTrue(part("argument")) : sign(operator, part("argument"))
    }
    case "BinaryExpression":
      return binary(node, scope, run)
    case "Ternary":
      return isTrue(part("condition")) ? part("trueExpr") : part("falseExpr")
    case "SelectExpression":
      return isTrue(part("test"))
        ? part("lhs")
        : undefinedValue("the inline if-expression has no value without an else")
    default:
      return literalOf(node, scope, run)
  }
}

function literalOf(node: ParsedNode, scope: Scope, run: TemplateRun): PythonValue {
  switch (node.type) {
    case "ArrayLiteral":
      return nodesIn(node, "value").map((item) => evaluate(item, scope, run))
    case "TupleLiteral":
      return tuple(...nodesIn(node, "value").map((item) => evaluate(item, scope, run)))
    case "ObjectLiteral": {
      const entries = [...(node["value"] as ReadonlyMap<ParsedNode, ParsedNode>)]
      return new Map(
        entries.map(([key, value]) => [dictKey(evaluate(key, scope, run)), evaluate(value, scope, run)] as const),
      )
    }
    case "Scope":
      return run.render(nodesIn(node, "body"), scope)
    default:
      return fail(`a ${node.type} has no value`)
  }
}

function memberOf(node: ParsedNode, scope: Scope, run: TemplateRun): PythonValue {
  const object = withoutMarkup(evaluate(nodeIn(node, "object"), scope, run))
  const property = nodeIn(node, "property")
  if (node["computed"] !== true) return getAttribute(object, String(property["value"]), textMethod)
  if (property.type !== "SliceExpression") return getItem(object, evaluate(property, scope, run), textMethod)
  const end = (name: string) => {
    const bound = property[name] as ParsedNode | undefined
    return bound === undefined ? null : evaluate(bound, scope, run)
  }
  return getSlice(object, { start: end("start"), stop: end("stop"), step: end("step") })
}

function callOf(node: ParsedNode, scope: Scope, run: TemplateRun): PythonValue {
  const callee = evaluate(nodeIn(node, "callee"), scope, run)
  return callValue(callee, argumentsOf(nodesIn(node, "args"), scope, run))
}

/** Calls a function or object. @throws TemplateFailure for any other value */
export function callValue(callee: PythonValue, args: CallArguments): PythonValue {
  if (isUndefined(callee)) return fail(callee.hint)
  if (isKind(callee, "function")) return callee.call(args)
  const call = isKind(callee, "object") ? callee.call : undefined
  return call === undefined ? fail(`'${typeName(callee)}' object is not callable`) : call(args)
}

/** Evaluates the arguments of a call, a filter or a test. */
export function argumentsOf(nodes: readonly ParsedNode[], scope: Scope, run: TemplateRun): CallArguments {
  const positional: PythonValue[] = []
  const named = new Map<string, PythonValue>()
  for (const node of nodes) {
    if (node.type === "KeywordArgumentExpression") {
      setOnce(named, nameIn(node, "key"), evaluate(nodeIn(node, "value"), scope, run))
    } else if (node.type === "SpreadExpression") {
      positional.push(...iterate(evaluate(nodeIn(node, "argument"), scope, run)))
    } else if (node.type === "KeywordSpreadExpression") {
      const dict = evaluate(nodeIn(node, "argument"), scope, run)
      if (!isDict(dict)) return fail(`argument after ** must be a mapping, not ${typeName(dict)}`)
      for (const [key, value] of dict) setOnce(named, pythonText(key), value)
    } else positional.push(evaluate(node, scope, run))
  }
  return { positional, named }
}

function setOnce(named: Map<string, PythonValue>, name: string, value: PythonValue): void {
  if (named.has(name)) fail(`it gives the argument '${name}' twice`)
  named.set(name, value)
}

function filtered(node: ParsedNode, scope: Scope, run: TemplateRun): PythonValue {
  const filter = nodeIn(node, "filter")
  const value = evaluate(nodeIn(node, "operand"), scope, run)
  const isCall = filter.type === "CallExpression"
  const name = isCall ? nameIn(filter, "callee") : String(filter["value"])
  return applyFilter(name, value, argumentsOf(isCall ? nodesIn(filter, "args") : [], scope, run))
}

function binary(node: ParsedNode, scope: Scope, run: TemplateRun): PythonValue {
  const operator = nameIn(node, "operator")
  const left = evaluate(nodeIn(node, "left"), scope, run)
  if (operator === "and" || operator === "or") {
    return isTrue(left) === (operator === "or") ? left : evaluate(nodeIn(node, "right"), scope, run)
  }
  return operate(operator, left, evaluate(nodeIn(node, "right"), scope, run))
}
