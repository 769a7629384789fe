/** Returns a tool as one of the list of all tools. */
export function defineTool(tool) {
    return { ...tool, run: (input, context) => tool.run(input, context) };
}
