import * as nearprint from 'nearprint';
import * as compat from 'nearprint/compat';
import { memoryStore } from 'nearprint/store/memory';
import { answers } from '../../../answers.mjs';
import { vectors } from '../../../vectors.mjs';

export const runtime = 'edge';
export const dynamic = 'force-dynamic';

export async function GET() {
  const [{ status }] = await memoryStore().observe([{ id: 'a', sketch: nearprint.sketch('one text') }]);
  return new Response(answers(nearprint, compat, vectors), { headers: { status, edge: typeof EdgeRuntime } });
}
