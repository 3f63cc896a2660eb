import * as dedupe from 'nearprint';
import * as compat from 'nearprint/compat';
import * as simhash from 'nearprint/simhash';
import { memoryStore } from 'nearprint/store/memory';
import { answers } from '../../../answers.mjs';
import { vectors } from '../../../vectors.mjs';

export const runtime = 'edge';
export const dynamic = 'force-dynamic';

export async function GET() {
  const [{ status }] = await memoryStore().observe([{ id: 'a', sketch: dedupe.sketch('one text') }]);
  return new Response(answers({ ...dedupe, ...simhash }, compat, vectors), {
    headers: { status, edge: typeof EdgeRuntime },
  });
}
