import { readFileSync } from 'node:fs';
import { PRICE_PATH_COLUMNS } from '/tmp/w/lake/src/bulk/rows/price-paths';
import { fileLayout, STREAM_LAYOUT } from '/tmp/w/lake/src/row-files/parquet/layout';
import { parquetOf } from '/tmp/w/lake/src/row-files/parquet/parquet';
import { composedParquet } from '/tmp/w/lake/src/row-files/compose';
const rss = () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync('/proc/self/status','utf8'))![1])/1024;
const N = Number(process.argv[3] ?? 475_000);
function* rowsOf() {
  const books = Array.from({length:15},(_,i)=>`bookmaker_${i}`);
  for (let i=0;i<N;i++) {
    const race=Math.floor(i/1485), r=Math.floor((i%1485)/135), b=Math.floor((i%135)/9), k=i%9;
    const s=(t:string)=>Buffer.from(t).toString();
    const start=Date.UTC(2026,10,20)+race*90_000;
    yield [s(`0d5a1f9e-6f4c-5b6e-9a53-${String(race).padStart(12,'0')}`), s(new Date(start).toISOString()), s('2026-11-20'), s('Flemington'+race%40), race%9, s('horse'), s('AU'), s('runner'+(race*11+r)), s('Runner '+(race*11+r)), r+1, s(books[b]!), s(new Date(start-3600_000+k*400_000+(i*7919)%399_000).toISOString()), 3600-k*400, 1.5+((i*31)%900)/100, null, s('flemington'), s('flemington'), s('ra:'+(race*11+r)), s('pe:runner'+(race*11+r)), false, k%3?1.2+((i*17)%300)/100:null, null, null, null];
  }
}
async function* batches(){ let b:any[]=[]; for(const r of rowsOf()){b.push(r); if(b.length===5000){yield b;b=[];}} if(b.length) yield b; }
async function main(){
  const kind=process.argv[2]!;
  const layout = kind==='stream'? STREAM_LAYOUT : fileLayout(['start_time','race_id','runner_number','bookmaker_key','captured_at']);
  const run=async()=>{ const parts:Buffer[]=[]; for await (const c of parquetOf(PRICE_PATH_COLUMNS as any,batches() as any,layout)) parts.push(c); return Buffer.concat(parts); };
  // warm
  let n=0; for await (const b of batches()) n+=b.length;
  const before=rss(); let top=before; const t=setInterval(()=>{top=Math.max(top,rss());},20);
  const began=performance.now(); const bytes=await run(); const ms=performance.now()-began; top=Math.max(top,rss());
  console.log(kind, N, 'rows', bytes.length, 'bytes', Math.round(ms),'ms', 'rss before', Math.round(before),'peak +',Math.round(top-before));
  if(kind==='file'){
    const part={bytes:bytes.length, async *read(a:number,b:number){ yield bytes.subarray(a,b);} };
    const t0=performance.now(); let total=0; const b2=rss(); let top2=b2; const t2=setInterval(()=>{top2=Math.max(top2,rss());},20);
    for await (const c of composedParquet(PRICE_PATH_COLUMNS as any, Array(30).fill(part), layout)) total+=c.length;
    clearInterval(t2); console.log('month of 30', total,'bytes', Math.round(performance.now()-t0),'ms peak +',Math.round(top2-b2));
  }
  clearInterval(t);
}
main();
