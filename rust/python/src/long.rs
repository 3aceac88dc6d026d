//! Long calls: the work runs in a thread of its own while the calling thread, without the interpreter's lock, looks for Ctrl-C.
//!
//! A thread that asks for the lock of an interpreter that is shutting down is ended by the interpreter at that very place, and
//! ending it inside Rust code aborts the process. So every thread that comes back from work without the lock asks here first
//! ([`attach`], [`detach`]): once the interpreter has begun to leave (an `atexit` handler), searches are interrupted, no evaluator
//! is called any more, and a daemon thread that waited for one stays where it is until the process ends.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use forbidden_games_core::interrupt::{Interrupt, Interrupted};
use pyo3::exceptions::{PyRuntimeError, PyTypeError};
use pyo3::prelude::*;

use crate::error::IntoPython;

/// Time between two looks for a signal.
const LOOK: Duration = Duration::from_millis(20);

/// Stops long calls that run in other threads and were given it.
#[pyclass(module = "forbidden_games", frozen)]
#[derive(Clone, Debug, Default)]
pub(crate) struct Stop(Arc<AtomicBool>);

#[pymethods]
impl Stop {
    #[new]
    fn new() -> Self {
        Self::default()
    }

    /// Stop every call that was given this object, now and later.
    fn set(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether it was set.
    #[getter]
    fn is_set(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// A copy is the same switch.
    fn __copy__(slf: Bound<'_, Self>) -> Bound<'_, Self> {
        slf
    }

    fn __deepcopy__<'py>(slf: Bound<'py, Self>, _memo: &Bound<'py, PyAny>) -> Bound<'py, Self> {
        slf
    }

    fn __reduce__(&self) -> PyResult<()> {
        Err(PyTypeError::new_err("a Stop works within one process: it cannot be pickled"))
    }
}

/// Longest time the interpreter waits at its end for calls into Python code (evaluators of daemon threads) to come back.
const PATIENCE: Duration = Duration::from_secs(5);

/// Whether the interpreter has begun to shut down.
static LEAVING: AtomicBool = AtomicBool::new(false);
/// Threads that hold the interpreter's lock, or wait for it, after work without it.
static RETURNING: AtomicI64 = AtomicI64::new(0);

/// The right to ask for the lock; the interpreter does not end meanwhile.
struct Ticket;

impl Ticket {
    fn take() -> Option<Self> {
        RETURNING.fetch_add(1, Ordering::SeqCst);
        let ticket = Self;
        // Read after the count has gone up: `leave` sets the flag before it reads the count.
        if LEAVING.load(Ordering::SeqCst) { None } else { Some(ticket) }
    }

    /// The same for a thread that has nothing else to do than to go back to Python.
    fn wait() -> Self {
        loop {
            match Self::take() {
                Some(ticket) => return ticket,
                None => std::thread::park(),
            }
        }
    }
}

impl Drop for Ticket {
    fn drop(&mut self) {
        RETURNING.fetch_sub(1, Ordering::SeqCst);
    }
}

/// Runs `work` with the lock; `None` if the interpreter is shutting down.
pub(crate) fn attach<T>(work: impl FnOnce(Python<'_>) -> T) -> Option<T> {
    let _ticket = Ticket::take()?;
    Python::try_attach(work)
}

/// Runs `work` without the lock.
pub(crate) fn detach<T: Send>(py: Python<'_>, work: impl FnOnce() -> T + Send) -> T {
    if LEAVING.load(Ordering::SeqCst) {
        // The thread that ends the interpreter has to come back.
        return work();
    }
    let (result, _ticket) = py.detach(|| {
        let result = work();
        (result, Ticket::wait())
    });
    result
}

/// The interpreter begins to shut down: everything that runs long is interrupted, and what is in Python code comes back first.
#[pyfunction]
pub(crate) fn leave(py: Python<'_>) {
    LEAVING.store(true, Ordering::SeqCst);
    py.detach(|| {
        let end = Instant::now() + PATIENCE;
        while RETURNING.load(Ordering::SeqCst) > 0 && Instant::now() < end {
            std::thread::sleep(Duration::from_millis(1));
        }
    });
}

/// In a process that was forked: the threads that were counted stayed in the parent.
#[pyfunction]
pub(crate) fn forget_threads() {
    RETURNING.store(0, Ordering::SeqCst);
}

/// Has [`leave`] and [`forget_threads`] called when it is time.
pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let py = module.py();
    py.import("atexit")?.call_method1("register", (wrap_pyfunction!(leave, module)?,))?;
    // Not on every platform.
    if let Some(register) = py.import("os")?.getattr_opt("register_at_fork")? {
        let after = pyo3::types::PyDict::new(py);
        after.set_item("after_in_child", wrap_pyfunction!(forget_threads, module)?)?;
        register.call((), Some(&after))?;
    }
    Ok(())
}

/// Runs `work` detached. On Ctrl-C, or when `stop` is set, the interrupt is set, the work comes to its end, and the exception of
/// the signal handler is raised.
pub(crate) fn run<T: Send, E: IntoPython + Send>(
    py: Python<'_>,
    stop: Option<Stop>,
    work: impl FnOnce(&Interrupt) -> Result<T, E> + Send,
) -> PyResult<T> {
    if LEAVING.load(Ordering::SeqCst) {
        return Err(PyRuntimeError::new_err("the interpreter is shutting down: nothing that runs long can begin"));
    }
    let interrupt = Interrupt::new();
    let mut raised = None;
    let result = detach(py, || {
        std::thread::scope(|scope| -> std::io::Result<Result<T, E>> {
            let (done, wait) = channel::<()>();
            let interrupt = &interrupt;
            let worker = std::thread::Builder::new().spawn_scoped(scope, move || {
                // Dropped when the work ends, also by a panic.
                let _done = done;
                work(interrupt)
            })?;
            while wait.recv_timeout(LOOK) == Err(RecvTimeoutError::Timeout) {
                if raised.is_none() {
                    raised = match attach(|py| py.check_signals()) {
                        Some(looked) => looked.err(),
                        None => Some(Interrupted.into_python()),
                    };
                    if raised.is_none() && stop.as_ref().is_some_and(|stop| stop.0.load(Ordering::Relaxed)) {
                        raised = Some(Interrupted.into_python());
                    }
                    if raised.is_some() {
                        interrupt.set();
                    }
                }
            }
            Ok(worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
        })
    });
    match raised {
        Some(error) => Err(error),
        // Without a thread the work cannot be interrupted, so it is not begun: an `OSError`.
        None => result?.map_err(IntoPython::into_python),
    }
}
