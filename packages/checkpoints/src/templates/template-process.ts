import { stdin, stdout } from "node:process"
import { text } from "node:stream/consumers"
import { parseJsonExactly } from "@assay/json"
import { templateFault } from "@assay/templates"
import { examineTemplate } from "./examine-template.ts"
import { renderConversation, type RenderedConversation } from "./render-conversation.ts"
import { unreadable, type ProcessTask, type TemplateReport } from "./template-report.ts"

// This file is the program of the process that `runTemplateProcess` starts. It reads a task and writes a report.
// The numbers of a conversation are written as they were sent: 1.0 is not 1 in Python.
const task = parseJsonExactly(await text(stdin)) as ProcessTask
// The parent starts counting the time now. JSON ignores the line feed before the report.
stdout.write("\n")
stdout.write(JSON.stringify(result()))

function result(): TemplateReport | RenderedConversation {
  const { conversation } = task
  try {
    return conversation === undefined ? examineTemplate(task) : renderConversation(task, conversation)
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    const fault = templateFault(null, "is nested too deeply")
    return conversation === undefined ? unreadable(fault) : { text: null, fault }
  }
}
