// Sources of web/ find their packages in the studio's folder too, and no second copy of them.
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

export const packages = join(dirname(fileURLToPath(import.meta.url)), "node_modules");
export const alias = { uplot: join(packages, "uplot"), "three/addons": join(packages, "three/examples/jsm"), three: join(packages, "three") };
