// Stands for @opencode-ai/plugin 1.18.33, which does just this.
import { z } from "zod";

export const tool = (definition) => definition;
tool.schema = z;
