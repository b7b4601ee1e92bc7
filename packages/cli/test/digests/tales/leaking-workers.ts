import { edit, fail, read, run, say, type Tale } from './tale.ts';

const POOL = `package fetch

// Pool runs at most MaxWorkers requests at a time.
type Pool struct {
	MaxWorkers int
	queue      chan Job
	done       chan struct{}
}

func (p *Pool) Start(ctx context.Context) {
	for i := 0; i < p.MaxWorkers; i++ {
		go p.work(ctx)
	}
}

func (p *Pool) work(ctx context.Context) {
	for job := range p.queue {
		resp, err := p.client.Do(job.Request)
		job.Result <- Result{resp, err}
	}
}`;

/** A service in Go that keeps its goroutines. */
export const leakingWorkers: Tale = {
  cwd: '/srv/harvest',
  turns: [
    {
      asks: 'harvestd grows to 40k goroutines over night and then gets killed. Look at the profile in tmp/goroutines.txt and fix the leak. Keep the exported API of package fetch as it is.',
      steps: [
        run(
          'head -20 tmp/goroutines.txt',
          `goroutine profile: total 40312
38114 @ 0x43a1f6 0x4067ad 0x406577 0x7b3c2e
#	0x7b3c2d	harvest/fetch.(*Pool).work+0x1ad	/srv/harvest/fetch/pool.go:24
1977 @ 0x43a1f6 0x44b1d2 0x7b3f11
#	0x7b3f10	harvest/crawl.(*Site).wait+0x90	/srv/harvest/crawl/site.go:71`,
        ),
        read('fetch/pool.go', POOL),
        run(
          'rg -n "NewPool|job.Result" --type go',
          `crawl/site.go:52:	pool := fetch.NewPool(8)
crawl/site.go:66:	case res := <-job.Result:
crawl/site.go:68:	case <-time.After(site.Timeout):
fetch/pool.go:24:		job.Result <- Result{resp, err}`,
        ),
        say(
          'Two faults. crawl/site.go makes a pool of 8 for every site and never closes it, and job.Result is unbuffered: when wait() gives up after site.Timeout nobody reads any more, and the worker hangs at pool.go:24 for good.',
        ),
        edit('crawl/site.go', 'pool := fetch.NewPool(8)', 'pool := fetch.NewPool(8)\n\tdefer pool.Close()'),
        edit('fetch/pool.go', 'for job := range p.queue {', 'for job := range p.jobs(ctx) {'),
        fail(
          'go test ./fetch/...',
          `--- FAIL: TestPoolGivesUpWithItsContext (2.00s)
    pool_test.go:88: 3 goroutines left after cancel, want 0
FAIL	harvest/fetch	2.214s`,
        ),
        edit(
          'fetch/pool.go',
          'job.Result <- Result{resp, err}',
          'select {\n\t\tcase job.Result <- Result{resp, err}:\n\t\tcase <-ctx.Done():\n\t\t\tdrain(resp)\n\t\t}',
        ),
        run('go test -race ./fetch/... ./crawl/...', 'ok  	harvest/fetch	1.902s\nok  	harvest/crawl	4.417s'),
      ],
    },
    {
      asks: 'And how do I see it next time before it kills us? We have Prometheus. Only the standard library and what go.mod has already.',
      steps: [
        run(
          'grep -n prometheus go.mod metrics/*.go',
          `go.mod:14:	github.com/prometheus/client_golang v1.19.1
metrics/metrics.go:22:	FetchSeconds = promauto.NewHistogram(prometheus.HistogramOpts{Name: "harvest_fetch_seconds"})`,
        ),
        edit(
          'metrics/metrics.go',
          'FetchSeconds = ',
          'PoolWorkers = promauto.NewGauge(prometheus.GaugeOpts{Name: "harvest_pool_workers"})\n\tFetchSeconds = ',
        ),
        edit('deploy/alerts.yaml', '', 'expr: harvest_pool_workers > 8 * harvest_sites_active\nfor: 10m'),
        run('promtool check rules deploy/alerts.yaml', 'SUCCESS: 4 rules found'),
        say(
          'The gauge harvest_pool_workers counts workers that run; the alert fires when there are more than 8 for each active site over 10 minutes. Not deployed yet.',
        ),
      ],
    },
    {
      asks: 'Deploy it to staging only, tag 4.8.1-rc1.',
      steps: [run('make deploy ENV=staging TAG=4.8.1-rc1', 'deployed harvestd 4.8.1-rc1 to staging (2 of 2 ready)')],
    },
  ],
};
