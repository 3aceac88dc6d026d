//! Long calls: the work runs in a thread of its own while the calling thread, without the interpreter's lock, looks for Ctrl-C.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

use forbidden_games_core::interrupt::{Interrupt, Interrupted};
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
}

/// Runs `work` detached. On Ctrl-C, or when `stop` is set, the interrupt is set, the work comes to its end, and the exception of
/// the signal handler is raised.
pub(crate) fn run<T: Send, E: IntoPython + Send>(
    py: Python<'_>,
    stop: Option<Stop>,
    work: impl FnOnce(&Interrupt) -> Result<T, E> + Send,
) -> PyResult<T> {
    let interrupt = Interrupt::new();
    let mut raised = None;
    let result = py.detach(|| {
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
                    raised = Python::attach(|py| py.check_signals()).err();
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
