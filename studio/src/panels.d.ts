declare module "studio-panels" {
  /** One for each file of panels/, made by build.mjs. */
  export const panels: import("./context").Panel[];
}
declare module "studio-tools" {
  /** One for each file of canvas/tools/. */
  export const tools: import("./canvas/tool").ToolKind[];
}

declare module "studio-examples" {
  const examples: { id: string; title: string; teaches: string; text: string; files: Record<string, { text?: string; base64?: string }> }[];
  export default examples;
}

declare module "studio-templates" {
  const templates: { id: string; about: string; text: string }[];
  export default templates;
}
