/** What each threshold does to your own documents. For every runtime. */
import type { SchemeOptions, Text } from './index.js';
export function calibrate(documents: any, options?: any): Promise<any>;
