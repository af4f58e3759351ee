import path from "node:path";
import usual from "../../prisma.config";

/** For comparing the demo's tables with their models: the usual configuration leaves them out. */
const { tables: _, ...others } = usual;
export default { ...others, schema: path.resolve(import.meta.dirname, "../../prisma/schema.prisma") };
